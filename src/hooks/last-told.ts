import { dirname } from "node:path";
import type { Client, ClientEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { gatherInstructions, targetsOf } from "../instructions/gather.ts";
import { renderReminder, versionLine } from "../instructions/tell.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** What a context was told last before it was compacted, except what it begins with. */
export interface LastTold {
  readonly files: readonly InstructionFile[];
  readonly text: string;
}

export const NOTHING_LAST: LastTold = { files: [], text: "" };

/** A batch of calls seldom touches more directories. */
const MOST_FILES = 8;

/**
 * Some clients compact between a call and the model's next words: the model then never sees what was told with the call.
 *
 * @input given: the files with which the context begins
 */
export async function lastTold(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  given: readonly InstructionFile[],
): Promise<LastTold> {
  const { key, root, userDirectories, settings } = workspace;
  if (client.compactsAfterCall !== true || event.cause !== "compact" || !settings.agents.resolver.enabled) {
    return NOTHING_LAST;
  }
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const known = Object.entries(findContext(session, key.context).loadedVersions);
  const present = new Set(given.map(({ path }) => path));
  const latest = known
    .filter(([path]) => !present.has(path))
    .toSorted(([, left], [, right]) => right.n - left.n)
    .slice(0, MOST_FILES);
  if (latest.length === 0) return NOTHING_LAST;
  const directories = latest.map(([path, { directory }]) => directory ?? dirname(path));
  const applying = await gatherInstructions(world, workspace, targetsOf(workspace, directories));
  const paths = new Set(latest.map(([path]) => path));
  const files = applying.files.filter(({ path }) => paths.has(path));
  if (files.length === 0) return NOTHING_LAST;
  const lines = files.map(({ path, version }) => versionLine({ path, mtimeMs: version.mtimeMs }));
  const text = renderReminder(client.element, "agents.resolve.paths", [
    "These AGENTS.md apply where you worked last:",
    ...lines,
    "Read them before your next edit there.",
  ]);
  return { files, text };
}
