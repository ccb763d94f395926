import type { Touch } from "../clients/client.ts";
import type { TouchedPath } from "../touched/touched.ts";
import { fileToolAccess, usualPaths } from "../touched/usual.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** What a client's tool is about to do, or has done. */
export interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
  /** What the model was given, in the client's shape. The key is there once the tool has run, even without a value. */
  readonly answer?: unknown;
}

/** The paths that a tool touches, in order of appearance. What the usual calls don't need is loaded for the others. */
export async function touchedPaths(
  world: World,
  { cwd, root }: Workspace,
  { tool, input }: ToolUse,
): Promise<readonly TouchedPath[]> {
  const usual = usualPaths(tool, input, cwd);
  if (usual !== undefined) return usual;
  const use = { tool, input, cwd, home: world.home, root: root.directory };
  const { plainPathsOfToolUse } = await import("../touched/payload.ts");
  return plainPathsOfToolUse(use) ?? (await import("../touched/tool-use.ts")).pathsOfToolUse(use);
}

/** The path that a file tool shows whole, or writes; none for other tools. */
export function plainlyShown({ tool, input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const isPart = typeof input === "object" && input !== null && ("limit" in input || "offset" in input);
  return new Set(fileToolAccess(tool) === undefined || isPart ? [] : touched.map(({ path }) => path));
}

/** The tool and the first path that it touches: tools for which a client loads instructions by itself touch only one. */
export function touchOf({ tool }: ToolUse, [first]: readonly TouchedPath[]): Touch | undefined {
  return first && { tool, path: first.path };
}
