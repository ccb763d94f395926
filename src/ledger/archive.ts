import { dirname, join } from "node:path";
import type { UserPlaces } from "../config/user-places.ts";
import { disk } from "../lib/fs.ts";
import { isLinked, namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { FORGET_AFTER_MS } from "./merge.ts";
import { originPaths, readOriginFile } from "./origin.ts";
import { STATE_ONLY, findStatePlace, type StatePlace } from "./place.ts";
import { archivePath, viewIn, archivedAt } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";

/** No process is at work on a file this old: one that died left it. */
const LEFTOVER_MS = 60_000;

const LOCK_LEFTOVER = /^session\.json\..*(?:\.gone|\.new|\.tmp)$/;

const ARCHIVE_LEFTOVER = /^[0-9a-f]{16}\.json\.[0-9a-z]+\.tmp$/;

const TREE_LEFTOVER = /^tree\.[0-9a-z]+\.tmp$/;

const ORIGIN_LEFTOVER = /^[0-9a-f]{16}\..*(?:\.gone|\.tmp)$/;

const STATE_PLACE_LEFTOVER = /^\.codelia\.[0-9a-z]+\.tmp$/;

const ARCHIVE = /^[0-9a-f]{16}\.json$/;

const ORIGIN = /^[0-9a-f]{16}$/;

const ORIGIN_LOCK = /^[0-9a-f]{16}\.lock$/;

/** Each costs a look into a ledger; the rest waits for the next time. */
const MOST_ORIGINS = 16;

/**
 * Writes idle sessions, of which there are some, to files of their own, and removes those that were idle for a month.
 *
 * @input  ledger: without the idle sessions
 * @output the ledger, with the sessions that could not be archived put back: an older archive must not replace them
 * @effect files below `sessions/`, which must be a directory of ours: a clone could have made it a link
 * @error  none
 */
export function archiveSessions(
  world: World,
  place: StatePlace,
  ledger: Ledger,
  idle: readonly (readonly [id: string, session: Session])[],
): Ledger {
  const directory = dirname(archivePath(place, ""));
  const isOurs = !isLinked(directory);
  const kept = idle.filter(([id, session]) => {
    if (!isOurs) return true;
    const text = `${JSON.stringify({ id, tree: ledger.tree, session })}\n`;
    return writeWhole(world, archivePath(place, id), text).kind === "failed";
  });
  if (isOurs) removeOld(directory, ARCHIVE, world.now() - FORGET_AFTER_MS);
  return kept.length === 0 ? ledger : { ...ledger, sessions: { ...ledger.sessions, ...Object.fromEntries(kept) } };
}

/** Removes all archived sessions. */
export function forgetArchive(place: StatePlace): void {
  const directory = dirname(archivePath(place, ""));
  if (!isLinked(directory)) removeOld(directory, ARCHIVE, Number.POSITIVE_INFINITY);
}

/**
 * Removes what killed processes left beside the ledger and in the user's state directory, and the claims of sessions that
 * no ledger knows any more.
 */
export function sweepLeftovers(world: World, place: StatePlace, places: UserPlaces): void {
  const before = world.now() - LEFTOVER_MS;
  const archive = dirname(archivePath(place, ""));
  removeOld(place.directory, LOCK_LEFTOVER, before);
  removeOld(dirname(place.treeFile), TREE_LEFTOVER, before);
  if (!isLinked(archive)) removeOld(archive, ARCHIVE_LEFTOVER, before);
  for (const path of originPaths(places, "")) {
    removeOld(dirname(path), ORIGIN_LEFTOVER, before);
    // Whoever claims the session takes over its lock; mostly nobody does.
    removeOld(dirname(path), ORIGIN_LOCK, world.now() - FORGET_AFTER_MS);
    forgetOrigins(world, dirname(path), places);
  }
  if (isMarked(place)) removeDrafts(place.root, before);
}

/** Not by age alone: the clock may have jumped, and a live session without its claim could get a second ledger. */
function forgetOrigins(world: World, directory: string, places: UserPlaces): void {
  let looks = 0;
  forEachOld(directory, ORIGIN, world.now() - FORGET_AFTER_MS, (path) => {
    if (++looks > MOST_ORIGINS) return;
    const origin = readOriginFile(path);
    const isKnown =
      origin !== undefined && viewIn(findStatePlace(origin.root, places, world.home), origin.id).session !== undefined;
    if (isKnown) writeWhole(world, path, `${JSON.stringify(origin)}\n`, { fileMode: 0o600 });
    else removeQuietly(path);
  });
}

function removeOld(directory: string, name: RegExp, before: number): void {
  forEachOld(directory, name, before, removeQuietly);
}

/** Only where it got a mark was it made as a draft first; elsewhere the root, which may be large, is not looked through. */
function isMarked({ directory, isInProject }: StatePlace): boolean {
  try {
    return isInProject && disk.look(join(directory, STATE_ONLY)) !== undefined;
  } catch {
    return false;
  }
}

/** State places that were never put in their place. */
function removeDrafts(root: string, before: number): void {
  forEachOld(root, STATE_PLACE_LEFTOVER, before, (draft) => {
    removeQuietly(join(draft, STATE_ONLY));
    disk.removeDirectory(draft);
  });
}

function forEachOld(directory: string, name: RegExp, before: number, act: (path: string) => void): void {
  try {
    // Mostly there is none, and a look costs less than an exception.
    if (disk.look(directory) === undefined) return;
    for (const entry of disk.list(directory)) {
      const path = join(directory, entry.name);
      if (name.test(entry.name) && (disk.look(path)?.mtimeMs ?? before) < before) act(path);
    }
  } catch {
    // Nothing to sweep, or no right to: it costs a little room.
  }
}

/**
 * Every session of a place that has left its ledger, as `readArchived()` would find it by its id.
 *
 * @input  tree: of the ledger
 * @effect none
 * @error  none: what can't be read is not known
 */
export function readArchives(place: StatePlace, tree: string): [id: string, session: Session][] {
  const directory = dirname(archivePath(place, ""));
  const sessions: [string, Session][] = [];
  for (const name of isLinked(directory) ? [] : namesIn(directory).toSorted()) {
    const path = join(directory, name);
    const archived = archivedAt(place, path, tree);
    if (archived !== undefined && archivePath(place, archived.id) === path) {
      sessions.push([archived.id, archived.session]);
    }
  }
  return sessions;
}
