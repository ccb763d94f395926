import { basename } from "node:path";
import type { Client } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { noteEvidence, noteSkills } from "../ledger/evidence.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { TouchedPath } from "../touched/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { filesShown } from "./shown.ts";
import type { ToolUse } from "./tool-paths.ts";

/**
 * Notes what a context has learned by a tool although the ledger has nothing new to record: an instruction file that it
 * was told of and now has read, and a skill that was loaded without codelia.
 *
 * @input  files: that apply to the touched paths, if nothing about them was new
 * @effect the evidence
 */
export function noteTool(
  world: World,
  workspace: Workspace,
  client: Client,
  use: ToolUse,
  touched: readonly TouchedPath[],
  files: readonly InstructionFile[],
): void {
  const isRead = ({ path }: InstructionFile) => touched.some((each) => each.path === path && each.access === "read");
  const shown = filesShown(world, workspace, use, touched, files.filter(isRead));
  const read = files.filter(({ path }) => shown.has(path));
  if (read.length > 0) {
    noteEvidence(world, workspace, {
      files: read.map(({ path, version }) => ["read", path, version.mtimeMs, version.sizeBytes]),
    });
  }
  noteSkills(world, workspace, "loaded", skillsLoadedBy(client, use, touched));
}

/** By path, or by name with a tool of the client for that. */
function skillsLoadedBy({ skillTool }: Client, { tool, input }: ToolUse, touched: readonly TouchedPath[]): string[] {
  const name = skillTool?.nameIn(tool, input);
  if (name !== undefined) return [name.slice(name.lastIndexOf(":") + 1)];
  return touched.flatMap(({ path, access }) => (access === "read" && basename(path) === SKILL_FILE ? path : []));
}
