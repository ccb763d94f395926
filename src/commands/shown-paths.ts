import type { InstructionFile } from "../core/chain.ts";
import { isFileTool } from "../core/paths/file-argument.ts";
import { filesShownBy, runsShell } from "../core/paths/payload-paths.ts";
import type { TouchedPath } from "../core/paths/touched.ts";
import { linesAt, sizeAt } from "../io/lines-at.ts";
import { placeIdentity } from "../io/same-place.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";
import { plainlyShown, type ToolUse } from "./tool-paths.ts";

/** What clients give their models of a command's output, at the least. */
const MAX_OUTPUT_BYTES = 20_000;
/** Arguments by which tools are told to show a part. */
const PARTIAL = /limit|offset|lines?|head|tail|range|start|end|pattern|query/i;

/**
 * Those of the files whose text a tool shows whole, or that it writes: what a shell's command prints, what another tool
 * reads; by whatever name, a CLAUDE.md may be a link to AGENTS.md.
 *
 * @effect reads files that are printed up to a line
 * @error  none
 */
export function filesShown(
  world: World,
  workspace: Workspace,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): Set<string> {
  const asked = new Set(files.map(({ identity }) => identity));
  const shown = isFileTool(use.tool)
    ? plainlyShown(use, touched)
    : shownByOthers(world, workspace, use, touched, asked);
  const identities = new Set([...shown].map(placeIdentity));
  return new Set(files.filter(({ identity }) => identities.has(identity)).map(({ path }) => path));
}

function shownByOthers(
  world: World,
  { cwd }: Workspace,
  { tool, input }: ToolUse,
  touched: readonly TouchedPath[],
  asked: ReadonlySet<string | undefined>,
): ReadonlySet<string> {
  const paths = new Set(touched.filter(({ access }) => access === "write").map(({ path }) => path));
  if (runsShell(tool)) {
    let room = MAX_OUTPUT_BYTES;
    for (const { path, lines } of filesShownBy({ tool, input, cwd, home: world.home })) {
      room -= sizeAt(path);
      // No other file is any of our business.
      if (room < 0 || !asked.has(placeIdentity(path))) continue;
      const count = linesAt(path, MAX_OUTPUT_BYTES);
      if (count !== undefined && count <= lines) paths.add(path);
    }
  } else if (!isPartial(input)) {
    for (const { path, access } of touched) if (access === "read") paths.add(path);
  }
  return paths;
}

function isPartial(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).some((key) => PARTIAL.test(key));
}
