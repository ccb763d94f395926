import { dirname, join } from "node:path";
import { mergeSessions } from "../core/ledger-merge.ts";
import { FORGET_AFTER_MS } from "../core/ledger-prune.ts";
import type { Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { disk } from "./disk.ts";
import { archivePath, readArchived } from "./ledger-read.ts";
import { treeOf, type StatePlace } from "./state-place.ts";
import { removeQuietly, writeWhole } from "./write-file.ts";

/** No process is at work on a file this old: one that died left it. */
const LEFTOVER_MS = 60_000;
const LEFTOVER = /^session\.json\..*(?:\.gone|\.new|\.tmp)$/;

/**
 * Writes idle sessions to files of their own, and removes those that were idle for a month.
 *
 * @input  idle: about to leave the ledger
 * @effect files below `sessions/`
 * @error  none: a session that can't be archived is lost to its next call, which repeats what it was told
 */
export function archiveSessions(
  world: World,
  place: StatePlace,
  idle: readonly (readonly [id: string, session: Session])[],
): void {
  if (idle.length === 0) return;
  for (const [id, session] of idle) {
    const earlier = readArchived(place, id);
    const whole = earlier === undefined ? session : mergeSessions(earlier, session);
    writeWhole(world, archivePath(place, id), `${JSON.stringify({ id, tree: treeOf(place), session: whole })}\n`);
  }
  removeOld(dirname(archivePath(place, "")), /\.json$/, world.now() - FORGET_AFTER_MS);
}

export function forgetArchived(place: StatePlace, id: string): void {
  if (readArchived(place, id) !== undefined) removeQuietly(archivePath(place, id));
}

/** Removes what killed processes left beside the ledger. */
export function sweepLeftovers(world: World, place: StatePlace): void {
  removeOld(place.directory, LEFTOVER, world.now() - LEFTOVER_MS);
}

function removeOld(directory: string, name: RegExp, before: number): void {
  try {
    for (const entry of disk.list(directory)) {
      const path = join(directory, entry.name);
      if (name.test(entry.name) && (disk.look(path)?.mtimeMs ?? before) < before) removeQuietly(path);
    }
  } catch {
    // Nothing to sweep, or no right to: it costs a little room.
  }
}
