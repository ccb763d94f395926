import { dirname, join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { disk } from "../lib/fs.ts";
import { isLinked, isThere, namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { claimPaths, locateLedger, readClaim, STATE_ONLY, type LedgerLocation } from "./location.ts";
import { archivedAt, archivePath, EVIDENCE_FILE, viewIn } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";

/**
 * Removes what has expired from the ledger: idle sessions move to an archive, and leftovers of killed processes are
 * deleted. The archive is a directory beside the ledger. If a clone made it a link, it is left alone.
 */

/** An archived session this old is forgotten. */
const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** A file this old has no live owner: the process that made it has died. */
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
  location: /^\.codelia\.[0-9a-z]+\.tmp$/,
};

/**
 * Writes idle sessions to files of their own, and removes those that were idle for a month.
 *
 * @input  ledger: without the idle sessions
 * @output the ledger, with the sessions that could not be archived: an older archive must not replace them
 */
export function archiveSessions(
  world: World,
  location: LedgerLocation,
  ledger: Ledger,
  idle: readonly (readonly [id: string, session: Session])[],
): Ledger {
  const directory = archiveOf(location);
  const isOurs = !isLinked(directory);
  const kept = idle.filter(([id, session]) => {
    if (!isOurs) return true;
    const text = `${JSON.stringify({ id, tree: ledger.tree, session })}\n`;
    return writeWhole(world, archivePath(location, id), text).kind === "failed";
  });
  if (isOurs) removeOld(directory, ARCHIVE, world.now() - FORGET_AFTER_MS);
  return kept.length === 0 ? ledger : { ...ledger, sessions: { ...ledger.sessions, ...Object.fromEntries(kept) } };
}

/** All archived sessions of a ledger, identified by its tree, as `readArchived()` would find each by its id. */
export function readArchives(location: LedgerLocation, tree: string): [id: string, session: Session][] {
  const directory = archiveOf(location);
  const sessions: [string, Session][] = [];
  const names = isLinked(directory) ? [] : namesIn(directory).filter((name) => ARCHIVE.test(name));
  for (const name of names.toSorted()) {
    const path = join(directory, name);
    const archived = archivedAt(location, path, tree);
    if (archived !== undefined && archivePath(location, archived.id) === path) {
      sessions.push([archived.id, archived.session]);
    }
  }
  return sessions;
}

/** Removes all archived sessions. */
export function forgetArchive(location: LedgerLocation): void {
  const directory = archiveOf(location);
  if (!isLinked(directory)) removeOld(directory, ARCHIVE, Number.POSITIVE_INFINITY);
}

function archiveOf(location: LedgerLocation): string {
  return dirname(archivePath(location, ""));
}

/**
 * Removes what killed processes left beside the ledger and in the user's state directory, and claims of sessions that
 * are in no ledger.
 */
export function sweepLeftovers(world: World, location: LedgerLocation, userDirectories: UserDirectories): void {
  const before = world.now() - LEFTOVER_MS;
  const archive = archiveOf(location);
  removeOld(location.directory, LEFTOVERS.ledger, before);
  removeOld(dirname(location.treeFile), LEFTOVERS.tree, before);
  if (!isLinked(archive)) {
    removeOld(archive, LEFTOVERS.archive, before);
    removeOld(archive, EVIDENCE_FILE, world.now() - FORGET_AFTER_MS);
  }
  for (const path of claimPaths(userDirectories, "")) {
    removeOld(dirname(path), LEFTOVERS.claim, before);
    // Claiming the session takes over its lock, but that rarely happens.
    removeOld(dirname(path), CLAIM_LOCK, world.now() - FORGET_AFTER_MS);
    forgetClaims(world, dirname(path), userDirectories);
  }
  // Only a directory with a mark was drafted first. Elsewhere the root, which may be large, is not searched.
  if (location.isInProject && isThere(join(location.directory, STATE_ONLY))) removeDrafts(location.root, before);
}

/**
 * Age alone is not enough: the clock may have jumped, and a live session without its claim could get a second ledger.
 */
function forgetClaims(world: World, directory: string, userDirectories: UserDirectories): void {
  let looks = 0;
  forEachOld(directory, CLAIM, world.now() - FORGET_AFTER_MS, (path) => {
    if (++looks > MOST_CLAIMS) return;
    const claim = readClaim(path);
    const isKnown =
      claim !== undefined &&
      viewIn(locateLedger(claim.root, userDirectories, world.home), claim.id).session !== undefined;
    if (isKnown) writeWhole(world, path, `${JSON.stringify(claim)}\n`, { fileMode: 0o600 });
    else removeQuietly(path);
  });
}

/** Drafts of a `.codelia` that were never renamed into place. */
function removeDrafts(root: string, before: number): void {
  forEachOld(root, LEFTOVERS.location, before, (draft) => {
    removeQuietly(join(draft, STATE_ONLY));
    disk.removeDirectory(draft);
  });
}

function removeOld(directory: string, name: RegExp, before: number): void {
  forEachOld(directory, name, before, removeQuietly);
}

/** What can't be listed or removed stays: it costs little space. */
function forEachOld(directory: string, name: RegExp, before: number, act: (path: string) => void): void {
  try {
    for (const entry of disk.list(directory)) {
      const path = join(directory, entry.name);
      if (name.test(entry.name) && (disk.look(path)?.mtimeMs ?? before) < before) act(path);
    }
  } catch {
    // There is nothing to sweep, or no permission.
  }
}
