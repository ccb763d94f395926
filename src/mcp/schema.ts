import { toJSONSchema, z } from "zod";
import { SkillScopeSchema } from "../config/schema.ts";
import { ResolvedAgentsSchema } from "../instructions/schema.ts";
import { SkillSearchResultSchema } from "../skills/schema.ts";

/** As many as one reminder could ever be about. */
const MAX_PATHS = 4096;

/** What the tools of `codelia mcp` take. */
export const ToolInputSchemas = {
  agents_resolve: z
    .object({
      paths: z
        .array(z.string().min(1))
        .min(1)
        .max(MAX_PATHS)
        .describe("files or directories you are about to work on, existing or not, absolute or relative"),
    })
    .strict(),
  skill_search: z
    .object({
      query: z.string().trim().min(1).describe("words, a name, $name, or the path of a skill"),
      limit: z.number().int().positive().max(999_999_999).optional().describe("at most so many results"),
      scope: SkillScopeSchema.optional().describe("only skills of the project, or of the user"),
    })
    .strict(),
  skill_load: z
    .object({
      name: z.string().min(1).optional().describe("the skill's name"),
      path: z.string().min(1).optional().describe("the path of its SKILL.md or directory; wins over the name"),
      again: z.boolean().optional().describe("the text also when this session was given it before"),
    })
    .strict()
    .refine(({ name, path }) => name !== undefined || path !== undefined, { error: "a name or a path is needed" }),
};

export type ToolName = keyof typeof ToolInputSchemas;

export type ToolInput<Name extends ToolName> = z.infer<(typeof ToolInputSchemas)[Name]>;

/** What those of them answer that answer data: a skill's text is text. */
const ToolOutputSchemas: Partial<Record<ToolName, z.ZodType>> = {
  agents_resolve: ResolvedAgentsSchema.extend({
    notes: z.array(z.string()).optional().describe("what else there is to know: files that went, files left for later"),
  }),
  skill_search: z
    .object({ results: z.array(SkillSearchResultSchema), count: z.number().int(), truncated: z.boolean() })
    .strict(),
};

export function toolSchemas(name: ToolName): { readonly inputSchema: object; readonly outputSchema?: object } {
  const output = ToolOutputSchemas[name];
  const inputSchema = toJSONSchema(ToolInputSchemas[name], { io: "input" });
  return output === undefined ? { inputSchema } : { inputSchema, outputSchema: toJSONSchema(output, { io: "input" }) };
}

/** A tool's arguments as they were given, checked. */
export type ReadInput =
  | {
      readonly [Name in ToolName]: { readonly kind: "input"; readonly tool: Name; readonly input: ToolInput<Name> };
    }[ToolName]
  | { readonly kind: "problem"; readonly problem: string };

/**
 * @output the arguments, or what is wrong with them
 * @effect none
 * @error  none
 */
export function readToolInput(tool: ToolName, given: unknown): ReadInput {
  const read = ToolInputSchemas[tool].safeParse(given);
  if (read.success) return { kind: "input", tool, input: read.data } as ReadInput;
  const problems = read.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `'${path.join(".")}': ${message}`,
  );
  return { kind: "problem", problem: problems.join("; ") };
}
