import { join } from "node:path";
import type { UserPlaces } from "../config/user-places.ts";
import { disk } from "../lib/fs.ts";
import { shortHash } from "../lib/hash.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { readText, whyUnread, type TextRead } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import { DEFAULT_SESSION, emptyLedger, findSession, mergeLedgers, mergeSessions } from "./contexts.ts";
import { isLedger, isOfLedger, isSession, readSession, treeStatus } from "./format.ts";
import { claimedRoot, findStatePlace, inodeOf, ledgerPath, rememberedTree, treeOf, type StatePlace } from "./place.ts";
import type { Ledger, Session } from "./schema.ts";

/**
 * Reading: one session, as each call does, or the whole ledger. What is known of a session is in three files: the ledger,
 * the late records beside it, and, once the session was idle for a day, its archive.
 *
 * Nothing here throws or writes. What can't be read counts as unknown, and is dealt with when something is recorded.
 */

/** A ledger larger than this is not one of ours. */
const MAX_LEDGER_BYTES = 8 * 1024 * 1024;
/** Nothing is added that would make the late records larger than this. Two processes that find room at once may do so. */
export const MAX_LATE_BYTES = 1024 * 1024;
/** Late records larger than this are not ours. */
export const MAX_LATE_READ_BYTES = 4 * MAX_LATE_BYTES;

export type LedgerRead =
  | { readonly kind: "ledger"; readonly ledger: Ledger }
  | { readonly kind: "absent" }
  /**
   * It is there and can't be used: `reason` completes "the ledger … is set aside: ". `isRefused`: it could not be read,
   * and may be readable the next time.
   */
  | { readonly kind: "foreign"; readonly reason: string; readonly isRefused?: true };

/** What is known of one session, and in whose ledger. */
export interface SessionView {
  readonly place: StatePlace;
  readonly session: Session | undefined;
}

/**
 * Finds a session in the ledger of this root, or in that of the root which the session has claimed, if that still exists.
 * Mostly this root's ledger knows the session; then nothing is read but that and the remembered tree.
 */
export function viewSession(root: string, id: string, places: UserPlaces, home: string): SessionView {
  const place = findStatePlace(root, places, home);
  const here = viewIn(place, id);
  if (here.session !== undefined || id === DEFAULT_SESSION) return here;
  const claimed = claimedRoot(places, id);
  if (claimed === undefined || claimed === root) return here;
  const there = viewIn(findStatePlace(claimed, places, home), id);
  return there.session !== undefined || isDirectory(claimed) ? there : here;
}

/** Late records are read before the ledger: afterwards they could have moved there in between. */
export function viewIn(place: StatePlace, id: string): SessionView {
  const late = lateFile(place);
  const { tree, session } = sessionIn(place, id);
  const kept = session ?? (tree === undefined ? undefined : readArchived(place, id, tree));
  if (late === undefined) return { place, session: kept };
  const added = findSession(lateLedger(place, lateIn(place, late) ?? "", tree, JSON.stringify(id)), id);
  return { place, session: kept === undefined || added === undefined ? (kept ?? added) : mergeSessions(kept, added) };
}

/** `tree`: of the ledger, if there is one that counts. */
function sessionIn(place: StatePlace, id: string): { tree?: string; session?: Session | undefined } {
  let read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind === "unusable") read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind !== "text") return {};
  const found = readSession(read.text, id);
  if (found.kind !== "other-shape") {
    const remembered = rememberedTree(place);
    if (treeStatus(found.tree, remembered, () => inodeOf(place)) === "current") {
      return { tree: found.tree, session: found.kind === "session" ? found.session : undefined };
    }
  }
  // Another ledger may have taken its place before the tree was read.
  const whole = readLedger(place);
  return whole.kind === "ledger" ? { tree: whole.ledger.tree, session: findSession(whole.ledger, id) } : {};
}

/** The whole ledger with its late records. */
export function readLedger(place: StatePlace): LedgerRead {
  return withLate(place, readLate(place), readAlone(place));
}

/**
 * Reads once more if a call failed. Whoever is about to write may not take an unreadable ledger for none: what others were
 * told would be forgotten.
 */
export function readLedgerSurely(place: StatePlace, late: string | undefined): LedgerRead {
  const read = readAlone(place);
  return withLate(place, late, read.kind === "foreign" && read.isRefused ? readAlone(place) : read);
}

function withLate(place: StatePlace, late: string | undefined, read: LedgerRead): LedgerRead {
  if (late === undefined || read.kind === "foreign") return read;
  if (read.kind === "absent") return { kind: "ledger", ledger: lateLedger(place, late, undefined) };
  const { ledger } = read;
  const merged = mergeLedgers(ledger, lateLedger(place, late, ledger.tree));
  return { kind: "ledger", ledger: { ...merged, tree: ledger.tree } };
}

function readAlone(place: StatePlace): LedgerRead {
  // Before the ledger: a tree that is remembered after it was read may be that of the next one.
  const remembered = rememberedTree(place);
  const read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind === "absent") return { kind: "absent" };
  if (read.kind === "too-large") return { kind: "foreign", reason: "it is too large" };
  if (read.kind === "unusable") {
    const reason = whyUnread(read);
    return { kind: "foreign", reason, ...(read.reason !== "not-a-regular-file" && { isRefused: true }) };
  }
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return { kind: "foreign", reason: "it is not JSON" };
  }
  if (!isLedger(value)) return { kind: "foreign", reason: "it has another shape or version" };
  let inode: string | undefined;
  switch (treeStatus(value.tree, remembered, () => (inode = inodeOf(place)))) {
    case "current":
      return { kind: "ledger", ledger: value };
    case "stale":
      return { kind: "foreign", reason: "it is older than what is remembered of it" };
    case "foreign": {
      const reason = "it was made for another directory";
      return { kind: "foreign", reason, ...(inode === undefined && { isRefused: true }) };
    }
  }
}

export function latePath(place: StatePlace): string {
  return `${ledgerPath(place)}.late`;
}

/** What is in the place of the late records, ours or not. */
export function lateFile(place: StatePlace): TextRead | undefined {
  const path = latePath(place);
  try {
    // Mostly there is none, and a look costs less than a failed open.
    return disk.look(path) === undefined ? undefined : readText(path, MAX_LATE_READ_BYTES);
  } catch {
    return undefined;
  }
}

/**
 * What was told by calls that could not have the ledger's lock in time: one ledger per line, with what was new in it.
 * Without what is being written at the moment; undefined if there are none, as almost always.
 */
export function readLate(place: StatePlace): string | undefined {
  return lateIn(place, lateFile(place));
}

/** None if the directory can't be looked at: the lines would be removed without being taken into the ledger. */
export function lateIn(place: StatePlace, file: TextRead | undefined): string | undefined {
  if (file?.kind !== "text" || treeOf(place) === undefined) return undefined;
  return file.text.slice(0, file.text.lastIndexOf("\n") + 1);
}

/**
 * Late records merged into one ledger.
 *
 * @input  tree: of the ledger they belong to, if there is one; naming: only lines that contain this are parsed
 * @output the lines that belong to that ledger
 */
export function lateLedger(place: StatePlace, lines: string, tree: string | undefined, naming = ""): Ledger {
  const inode = inodeOf(place);
  let merged = emptyLedger(tree ?? treeOf(place) ?? "");
  for (const line of lines.split("\n")) {
    const record = line !== "" && line.includes(naming) ? parseLine(line) : undefined;
    if (record !== undefined && isOfLedger(record.tree, merged.tree, inode)) {
      merged = { ...mergeLedgers(merged, record), tree: merged.tree };
    }
  }
  return merged;
}

function parseLine(line: string): Ledger | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLedger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function archivePath(place: StatePlace, id: string): string {
  return join(place.directory, "sessions", `${shortHash(id)}.json`);
}

/** @input tree: of the present ledger; archives of an earlier one don't count */
export function readArchived(place: StatePlace, id: string, tree: string): Session | undefined {
  const archived = archivedAt(place, archivePath(place, id), tree);
  return archived?.id === id ? archived.session : undefined;
}

/** What a file of the archive holds. It names the session, because two ids may have one hash. */
export function archivedAt(
  place: StatePlace,
  path: string,
  tree: string,
): { id: string; session: Session } | undefined {
  const read = readText(path, MAX_LEDGER_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const value = JSON.parse(read.text);
    const { id, session } = value;
    const isOurs = typeof value.tree === "string" && isOfLedger(value.tree, tree, inodeOf(place));
    return typeof id === "string" && isOurs && isSession(session) ? { id, session } : undefined;
  } catch {
    return undefined;
  }
}

/** The sessions of a root's ledger and the contexts of each, by name. */
export function sessionNames(workspace: Workspace, home: string): ReadonlyMap<string, readonly string[]> {
  const read = readLedger(findStatePlace(workspace.root.directory, workspace.places, home));
  const sessions = read.kind === "ledger" ? Object.entries(read.ledger.sessions) : [];
  const contexts = sessions.map(([id, session]): [string, string[]] => [id, Object.keys(session.contexts)]);
  return new Map(contexts.filter(([, names]) => names.length > 0));
}
