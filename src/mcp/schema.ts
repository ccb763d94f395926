import { toJSONSchema, z } from "zod";
import { SkillScopeSchema } from "../config/schema.ts";
import { ResolvedAgentsSchema } from "../instructions/schema.ts";
import { checkData } from "../lib/schema-problems.ts";
import { SkillSearchResultSchema } from "../skills/schema.ts";

const MAX_PATHS = 4096;

/** The arguments of the tools of `codelia mcp`. */
const ToolInputSchemas = {
  agents_resolve: z.strictObject({
    paths: z
      .array(z.string().min(1))
      .min(1)
      .max(MAX_PATHS)
      .describe("files or directories you are about to work on, existing or not, absolute or relative"),
  }),
  skill_search: z.strictObject({
    query: z.string().trim().min(1).describe("words, a name, $name, or the path of a skill"),
    limit: z.number().int().positive().max(999_999_999).optional().describe("the most results to return"),
    scope: SkillScopeSchema.optional().describe("only skills of the project, or of the user"),
  }),
  skill_load: z
    .strictObject({
      name: z.string().min(1).optional().describe("the skill's name"),
      path: z.string().min(1).optional().describe("the path of its SKILL.md or directory; wins over the name"),
      again: z.boolean().optional().describe("give the text again, even if this session has had it"),
    })
    .refine(({ name, path }) => name !== undefined || path !== undefined, { error: "must have 'name' or 'path'" }),
};

export type ToolName = keyof typeof ToolInputSchemas;

/** The tools that return structured data; `skill_load` returns text. */
const ToolOutputSchemas: Partial<Record<ToolName, z.ZodType>> = {
  agents_resolve: ResolvedAgentsSchema.extend({
    notes: z.array(z.string()).optional().describe("files that no longer apply, and files left for the next call"),
  }),
  skill_search: z.strictObject({
    results: z.array(SkillSearchResultSchema),
    count: z.number().int(),
    truncated: z.boolean(),
  }),
};

export function toolSchemas(name: ToolName): { readonly inputSchema: object; readonly outputSchema?: object } {
  const output = ToolOutputSchemas[name];
  const inputSchema = toJSONSchema(ToolInputSchemas[name], { io: "input" });
  return output === undefined ? { inputSchema } : { inputSchema, outputSchema: toJSONSchema(output, { io: "input" }) };
}

/** A tool call with validated arguments. */
export type ToolRequest = {
  readonly [Name in ToolName]: { readonly tool: Name; readonly input: z.infer<(typeof ToolInputSchemas)[Name]> };
}[ToolName];

type ReadToolInput =
  | (ToolRequest & { readonly kind: "request" })
  | { readonly kind: "problem"; readonly problem: string };

export function readToolInput(tool: ToolName, given: unknown): ReadToolInput {
  const checked = checkData<unknown>(ToolInputSchemas[tool], given);
  if (checked.kind === "valid") return { kind: "request", tool, input: checked.data } as ReadToolInput;
  return { kind: "problem", problem: checked.problems.map(({ message }) => message).join("; ") };
}
