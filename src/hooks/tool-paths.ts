import type { Touch } from "../clients/client.ts";
import type { ToolUse as ToolUseAt } from "../touched/payload.ts";
import type { TouchedPath } from "../touched/touched.ts";
import { fileToolAccess, usualPaths } from "../touched/usual.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** What a client's tool is about to do, or has done. */
export interface ToolUse {
  readonly tool: string;
  readonly input: unknown;
  /** What the model was given, in the client's shape. There once it has run, be it undefined. */
  readonly answer?: unknown;
}

/** The paths that a tool touches, in order of appearance; a promise only where more has to be loaded to tell. */
export function touchedPaths(
  world: World,
  { cwd, root }: Workspace,
  { tool, input }: ToolUse,
): readonly TouchedPath[] | Promise<readonly TouchedPath[]> {
  const usual = usualPaths(tool, input, cwd);
  if (usual !== undefined) return usual;
  return otherPaths({ tool, input, cwd, home: world.home, root: root.directory });
}

async function otherPaths(use: ToolUseAt): Promise<readonly TouchedPath[]> {
  const plain = (await import("../touched/payload.ts")).plainPathsOfToolUse(use);
  return plain ?? (await import("../touched/tool-use.ts")).pathsOfToolUse(use);
}

/** The path whose text the tool shows whole, or writes, where that is the one file that it is for. */
export function plainlyShown({ tool, input }: ToolUse, touched: readonly TouchedPath[]): ReadonlySet<string> {
  const paths = new Set<string>();
  if (fileToolAccess(tool) === undefined) return paths;
  const isPart = typeof input === "object" && input !== null && ("limit" in input || "offset" in input);
  if (!isPart) for (const { path } of touched) paths.add(path);
  return paths;
}

/** The tool, and the first path that it touches: those for which a client brings anything touch one. */
export function touchOf({ tool }: ToolUse, [first]: readonly TouchedPath[]): Touch | undefined {
  return first && { tool, path: first.path };
}
