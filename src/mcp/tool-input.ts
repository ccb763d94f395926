import { ToolInputSchemas, toolSchemas, type ToolInput, type ToolName } from "./mcp.ts";

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

/** The JSON Schemas of what a tool takes and, where it answers data, gives. */
export { toolSchemas };
