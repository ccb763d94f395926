import { join } from "node:path";
import type { UserDirectories } from "../config/user-directories.ts";
import { disk } from "../lib/fs.ts";
import { shortHash } from "../lib/hash.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { readText, whyUnread, type TextRead } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import { DEFAULT_SESSION, emptyLedger, findSession, mergeLedgers, mergeSessions } from "./contexts.ts";
import { isLedger, isOfLedger, isSession, readSession, treeStatus } from "./format.ts";
import {
  claimedRoot,
  locateLedger,
  inodeOf,
  ledgerPath,
  rememberedTree,
  treeOf,
  type LedgerLocation,
} from "./location.ts";
import type { Ledger, Session } from "./schema.ts";

/**
 * Reading: one session, as each call does, or the whole ledger. What is known of a session is in up to three files: the
 * ledger, the late records beside it, and its archive once it was idle for a day.
 *
 * Nothing here throws or writes. What can't be read counts as unknown, and is dealt with when something is recorded.
 */

/** A ledger larger than this is not one of ours. */
const MAX_LEDGER_BYTES = 8 * 1024 * 1024;
/** Late records are not appended to beyond this size. Two processes that append at once may exceed it. */
export const MAX_LATE_BYTES = 1024 * 1024;
/** A late file larger than this is not ours. */
export const MAX_LATE_READ_BYTES = 4 * MAX_LATE_BYTES;

export type LedgerRead =
  | { readonly kind: "ledger"; readonly ledger: Ledger }
  | { readonly kind: "absent" }
  /**
   * The ledger exists and can't be used: `reason` completes "the ledger … is set aside: ". `isRefused`: it could not be
   * read, and may be readable the next time.
   */
  | { readonly kind: "foreign"; readonly reason: string; readonly isRefused?: true };

/** What is known of one session, and in which ledger. */
export interface SessionView {
  readonly location: LedgerLocation;
  readonly session: Session | undefined;
}

/**
 * Finds a session in the ledger of this root, or of the root that the session has claimed, if that still exists.
 * Usually this root's ledger knows the session, and only the ledger and the remembered tree are read.
 */
export function viewSession(root: string, id: string, userDirectories: UserDirectories, home: string): SessionView {
  const location = locateLedger(root, userDirectories, home);
  const here = viewIn(location, id);
  if (here.session !== undefined || id === DEFAULT_SESSION) return here;
  const claimed = claimedRoot(userDirectories, id);
  if (claimed === undefined || claimed === root) return here;
  const there = viewIn(locateLedger(claimed, userDirectories, home), id);
  return there.session !== undefined || isDirectory(claimed) ? there : here;
}

/** Late records are read before the ledger: read afterwards, they could have moved there in between. */
export function viewIn(location: LedgerLocation, id: string): SessionView {
  const late = lateFile(location);
  const { tree, session } = sessionIn(location, id);
  const kept = session ?? (tree === undefined ? undefined : readArchived(location, id, tree));
  if (late === undefined) return { location, session: kept };
  const added = findSession(lateLedger(location, lateIn(location, late) ?? "", tree, JSON.stringify(id)), id);
  return {
    location,
    session: kept === undefined || added === undefined ? (kept ?? added) : mergeSessions(kept, added),
  };
}

/** `tree`: of the ledger, if there is a valid one. */
function sessionIn(location: LedgerLocation, id: string): { tree?: string; session?: Session | undefined } {
  let read = readText(ledgerPath(location), MAX_LEDGER_BYTES);
  if (read.kind === "unusable") read = readText(ledgerPath(location), MAX_LEDGER_BYTES);
  if (read.kind !== "text") return {};
  const found = readSession(read.text, id);
  if (found.kind !== "other-shape") {
    const remembered = rememberedTree(location);
    if (treeStatus(found.tree, remembered, () => inodeOf(location)) === "current") {
      return { tree: found.tree, session: found.kind === "session" ? found.session : undefined };
    }
  }
  // Another ledger may have been published before the tree was read.
  const whole = readLedger(location);
  return whole.kind === "ledger" ? { tree: whole.ledger.tree, session: findSession(whole.ledger, id) } : {};
}

/** The whole ledger with its late records. */
export function readLedger(location: LedgerLocation): LedgerRead {
  return withLate(location, readLate(location), readAlone(location));
}

/**
 * Reads again if a call failed. Before a write, an unreadable ledger must not count as absent: what others were told
 * would be forgotten.
 */
export function readLedgerSurely(location: LedgerLocation, late: string | undefined): LedgerRead {
  const read = readAlone(location);
  return withLate(location, late, read.kind === "foreign" && read.isRefused ? readAlone(location) : read);
}

function withLate(location: LedgerLocation, late: string | undefined, read: LedgerRead): LedgerRead {
  if (late === undefined || read.kind === "foreign") return read;
  if (read.kind === "absent") return { kind: "ledger", ledger: lateLedger(location, late, undefined) };
  const { ledger } = read;
  const merged = mergeLedgers(ledger, lateLedger(location, late, ledger.tree));
  return { kind: "ledger", ledger: { ...merged, tree: ledger.tree } };
}

function readAlone(location: LedgerLocation): LedgerRead {
  // Before the ledger: a tree read after it may belong to the next one.
  const remembered = rememberedTree(location);
  const read = readText(ledgerPath(location), MAX_LEDGER_BYTES);
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
  switch (treeStatus(value.tree, remembered, () => (inode = inodeOf(location)))) {
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

export function latePath(location: LedgerLocation): string {
  return `${ledgerPath(location)}.late`;
}

/** What the late file is, ours or not. */
export function lateFile(location: LedgerLocation): TextRead | undefined {
  const path = latePath(location);
  try {
    // Usually there is none, and lstat costs less than a failed open.
    return disk.look(path) === undefined ? undefined : readText(path, MAX_LATE_READ_BYTES);
  } catch {
    return undefined;
  }
}

/**
 * What calls told that could not get the ledger's lock in time: one ledger per line, with what was new in it. Excludes
 * a line that is still being written; undefined if there are none, as almost always.
 */
export function readLate(location: LedgerLocation): string | undefined {
  return lateIn(location, lateFile(location));
}

/** Undefined if the directory can't be read: the lines would be removed without being merged. */
export function lateIn(location: LedgerLocation, file: TextRead | undefined): string | undefined {
  if (file?.kind !== "text" || treeOf(location) === undefined) return undefined;
  return file.text.slice(0, file.text.lastIndexOf("\n") + 1);
}

/**
 * Late records merged into one ledger.
 *
 * @input  tree: of the ledger they belong to, if there is one; naming: only lines that contain this are parsed
 * @output the lines that belong to that ledger
 */
export function lateLedger(location: LedgerLocation, lines: string, tree: string | undefined, naming = ""): Ledger {
  const inode = inodeOf(location);
  let merged = emptyLedger(tree ?? treeOf(location) ?? "");
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

export function archivePath(location: LedgerLocation, id: string): string {
  return join(location.directory, "sessions", `${shortHash(id)}.json`);
}

export const EVIDENCE_FILE = /^[0-9a-f]{16}\.jsonl$/;

/** The evidence of a session, beside its archive. */
export function evidencePath(location: LedgerLocation, id: string): string {
  return join(location.directory, "sessions", `${shortHash(id)}.jsonl`);
}

/** @input tree: of the present ledger; archives of an earlier one don't count */
export function readArchived(location: LedgerLocation, id: string, tree: string): Session | undefined {
  const archived = archivedAt(location, archivePath(location, id), tree);
  return archived?.id === id ? archived.session : undefined;
}

/** The content of an archive file. It names the session, because two ids may have the same hash. */
export function archivedAt(
  location: LedgerLocation,
  path: string,
  tree: string,
): { id: string; session: Session } | undefined {
  const read = readText(path, MAX_LEDGER_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const value = JSON.parse(read.text);
    const { id, session } = value;
    const isOurs = typeof value.tree === "string" && isOfLedger(value.tree, tree, inodeOf(location));
    return typeof id === "string" && isOurs && isSession(session) ? { id, session } : undefined;
  } catch {
    return undefined;
  }
}

/** The sessions of a root's ledger and the contexts of each, by name. */
export function sessionNames(workspace: Workspace, home: string): ReadonlyMap<string, readonly string[]> {
  const read = readLedger(locateLedger(workspace.root.directory, workspace.userDirectories, home));
  const sessions = read.kind === "ledger" ? Object.entries(read.ledger.sessions) : [];
  const contexts = sessions.map(([id, session]): [string, string[]] => [id, Object.keys(session.contexts)]);
  return new Map(contexts.filter(([, names]) => names.length > 0));
}
