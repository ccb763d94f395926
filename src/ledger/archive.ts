import { dirname, join } from "node:path";
import type { UserPlaces } from "../config/user-places.ts";
import { disk } from "../lib/fs.ts";
import { isLinked, isThere, namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { claimPaths, findStatePlace, readClaim, STATE_ONLY, type StatePlace } from "./place.ts";
import { archivedAt, archivePath, viewIn } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";

/**
 * What leaves the ledger: idle sessions, which move to an archive, and what killed processes left behind. The archive is a
 * directory beside the ledger. A clone could have made it a link: then it is left alone.
 */

/** An archived session this old is forgotten. */
const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** No process is at work on a file this old: one that died left it. */
const LEFTOVER_MS = 60_000;

/** Each claim costs a look into a ledger; the others wait for the next time. */
const MOST_CLAIMS = 16;

const ARCHIVE = /^[0-9a-f]{16}\.json$/;
const CLAIM = /^[0-9a-f]{16}$/;
const CLAIM_LOCK = /^[0-9a-f]{16}\.lock$/;
const LEFTOVERS = {
  ledger: /^session\.json\..*(?:\.gone|\.new|\.tmp)$/,
  archive: /^[0-9a-f]{16}\.json\.[0-9a-z]+\.tmp$/,
  tree: /^tree\.[0-9a-z]+\.tmp$/,
  claim: /^[0-9a-f]{16}\..*(?:\.gone|\.tmp)$/,
  place: /^\.codelia\.[0-9a-z]+\.tmp$/,
};

/**
 * Writes idle sessions to files of their own, and removes those that were idle for a month.
 *
 * @input  ledger: without the idle sessions
 * @output the ledger; sessions that could not be archived are back in it, because an older archive must not replace them
 */
export function archiveSessions(
  world: World,
  place: StatePlace,
  ledger: Ledger,
  idle: readonly (readonly [id: string, session: Session])[],
): Ledger {
  const directory = archiveOf(place);
  const isOurs = !isLinked(directory);
  const kept = idle.filter(([id, session]) => {
    if (!isOurs) return true;
    const text = `${JSON.stringify({ id, tree: ledger.tree, session })}\n`;
    return writeWhole(world, archivePath(place, id), text).kind === "failed";
  });
  if (isOurs) removeOld(directory, ARCHIVE, world.now() - FORGET_AFTER_MS);
  return kept.length === 0 ? ledger : { ...ledger, sessions: { ...ledger.sessions, ...Object.fromEntries(kept) } };
}

/** All archived sessions of a ledger, named by its tree, as `readArchived()` would find each by its id. */
export function readArchives(place: StatePlace, tree: string): [id: string, session: Session][] {
  const directory = archiveOf(place);
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

/** Removes all archived sessions. */
export function forgetArchive(place: StatePlace): void {
  const directory = archiveOf(place);
  if (!isLinked(directory)) removeOld(directory, ARCHIVE, Number.POSITIVE_INFINITY);
}

function archiveOf(place: StatePlace): string {
  return dirname(archivePath(place, ""));
}

/**
 * Removes what killed processes left beside the ledger and in the user's state directory, and the claims of sessions that
 * no ledger knows any more.
 */
export function sweepLeftovers(world: World, place: StatePlace, places: UserPlaces): void {
  const before = world.now() - LEFTOVER_MS;
  const archive = archiveOf(place);
  removeOld(place.directory, LEFTOVERS.ledger, before);
  removeOld(dirname(place.treeFile), LEFTOVERS.tree, before);
  if (!isLinked(archive)) removeOld(archive, LEFTOVERS.archive, before);
  for (const path of claimPaths(places, "")) {
    removeOld(dirname(path), LEFTOVERS.claim, before);
    // Whoever claims the session takes over its lock; mostly nobody does.
    removeOld(dirname(path), CLAIM_LOCK, world.now() - FORGET_AFTER_MS);
    forgetClaims(world, dirname(path), places);
  }
  // Only a place that got a mark was drafted first. Elsewhere the root, which may be large, is not searched.
  if (place.isInProject && isThere(join(place.directory, STATE_ONLY))) removeDrafts(place.root, before);
}

/** Not by age alone: the clock may have jumped, and a live session without its claim could get a second ledger. */
function forgetClaims(world: World, directory: string, places: UserPlaces): void {
  let looks = 0;
  forEachOld(directory, CLAIM, world.now() - FORGET_AFTER_MS, (path) => {
    if (++looks > MOST_CLAIMS) return;
    const claim = readClaim(path);
    const isKnown =
      claim !== undefined && viewIn(findStatePlace(claim.root, places, world.home), claim.id).session !== undefined;
    if (isKnown) writeWhole(world, path, `${JSON.stringify(claim)}\n`, { fileMode: 0o600 });
    else removeQuietly(path);
  });
}

/** Drafts of a `.codelia` that never got its name. */
function removeDrafts(root: string, before: number): void {
  forEachOld(root, LEFTOVERS.place, before, (draft) => {
    removeQuietly(join(draft, STATE_ONLY));
    disk.removeDirectory(draft);
  });
}

function removeOld(directory: string, name: RegExp, before: number): void {
  forEachOld(directory, name, before, removeQuietly);
}

/** What can't be listed or removed is left: it costs a little room. */
function forEachOld(directory: string, name: RegExp, before: number, act: (path: string) => void): void {
  try {
    for (const entry of disk.list(directory)) {
      const path = join(directory, entry.name);
      if (name.test(entry.name) && (disk.look(path)?.mtimeMs ?? before) < before) act(path);
    }
  } catch {
    // Nothing to sweep, or no right to.
  }
}
