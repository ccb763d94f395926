import { join } from "node:path";
import type { UserPlaces } from "../config/user-places.ts";
import { shortHash } from "../lib/hash.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import { DEFAULT_SESSION } from "./contexts.ts";
import { lateFile, lateIn, lateLedger, lateSession, readLate } from "./late-read.ts";
import { mergeLedgers, mergeSessions } from "./merge.ts";
import { readOrigin } from "./origin.ts";
import { findStatePlace, inodeOf, ledgerPath, rememberedTree, type StatePlace } from "./place.ts";
import type { Ledger, Session } from "./schema.ts";
import { isLedger, isSession, readSession } from "./text.ts";
import { isOfLedger, judgeTree } from "./tree.ts";

/** A ledger larger than this is not one of ours. */
const MAX_LEDGER_BYTES = 8 * 1024 * 1024;

const WHY_UNUSABLE = {
  "not-a-regular-file": "it is not a regular file",
  "no-permission": "it may not be read",
  unreadable: "it can't be read",
};

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
 * Finds a session: in the ledger of this root, in its archive, or in those of the root that the session has claimed, if
 * that still exists. If this root's ledger knows the session, it reads that and the remembered tree, no more.
 *
 * @effect none
 * @error  none: what can't be read counts as not known, and is dealt with when something is recorded
 */
export function viewSession(root: string, id: string, places: UserPlaces, home: string): SessionView {
  const place = findStatePlace(root, places, home);
  const here = viewIn(place, id);
  if (here.session !== undefined || id === DEFAULT_SESSION) return here;
  const origin = readOrigin(places, id);
  if (origin === undefined || origin === root) return here;
  const there = viewIn(findStatePlace(origin, places, home), id);
  return there.session !== undefined || isDirectory(origin) ? there : here;
}

export function viewIn(place: StatePlace, id: string): SessionView {
  const late = lateFile(place);
  const { tree, session } = sessionIn(place, id);
  const kept = session ?? (tree === undefined ? undefined : readArchived(place, id, tree));
  // Nearly always.
  if (late === undefined) return { place, session: kept };
  const added = lateSession(place, lateIn(place, late) ?? "", tree, id);
  return { place, session: kept === undefined || added === undefined ? (kept ?? added) : mergeSessions(kept, added) };
}

/** With what was recorded late, which is read first: see there. */
export function readLedger(place: StatePlace): LedgerRead {
  return withLate(place, readLate(place), readAlone(place));
}

/** Reads once more where a call failed: what others were told would be forgotten, and what is gone never be said. */
export function readLedgerSurely(place: StatePlace, late: string | undefined): LedgerRead {
  const read = readAlone(place);
  return withLate(place, late, read.kind === "foreign" && read.isRefused ? readAlone(place) : read);
}

function withLate(place: StatePlace, late: string | undefined, read: LedgerRead): LedgerRead {
  if (late === undefined || read.kind === "foreign") return read;
  if (read.kind === "absent") return { kind: "ledger", ledger: lateLedger(place, late, undefined) };
  const { ledger } = read;
  return {
    kind: "ledger",
    ledger: { ...mergeLedgers(ledger, lateLedger(place, late, ledger.tree)), tree: ledger.tree },
  };
}

function readAlone(place: StatePlace): LedgerRead {
  // Before the ledger: a tree that is remembered after it was read may be that of the next one.
  const remembered = rememberedTree(place);
  const path = ledgerPath(place);
  const read = readText(path, MAX_LEDGER_BYTES);
  if (read.kind === "absent") return { kind: "absent" };
  if (read.kind === "too-large") return { kind: "foreign", reason: "it is too large" };
  if (read.kind === "unusable") {
    const reason = WHY_UNUSABLE[read.reason];
    return read.reason === "not-a-regular-file"
      ? { kind: "foreign", reason }
      : { kind: "foreign", reason, isRefused: true };
  }
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return { kind: "foreign", reason: "it is not JSON" };
  }
  if (!isLedger(value)) return { kind: "foreign", reason: "it has another shape or version" };
  let inode: string | undefined;
  const what = judgeTree(value.tree, remembered, () => (inode = inodeOf(place)));
  if (what === "current") return { kind: "ledger", ledger: value };
  if (what === "stale") return { kind: "foreign", reason: "it is older than what is remembered of it" };
  return {
    kind: "foreign",
    reason: "it was made for another directory",
    ...(inode === undefined && { isRefused: true }),
  };
}

export function archivePath(place: StatePlace, id: string): string {
  return join(place.directory, "sessions", `${shortHash(id)}.json`);
}

/** @input tree: of the present ledger; archives of an earlier one don't count */
export function readArchived(place: StatePlace, id: string, tree: string): Session | undefined {
  const archived = archivedAt(place, archivePath(place, id), tree);
  return archived?.id === id ? archived.session : undefined;
}

/** What a file of the archive holds; it names the session, because two ids may share a hash. */
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

/** `tree`: of the ledger, if there is one that counts. */
function sessionIn(place: StatePlace, id: string): { tree: string | undefined; session: Session | undefined } {
  let read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind === "unusable") read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind !== "text") return UNKNOWN;
  const found = readSession(read.text, id);
  if (found.kind !== "other-shape") {
    const remembered = rememberedTree(place);
    // Mostly they are equal.
    const isOurs = found.tree === remembered || judgeTree(found.tree, remembered, () => inodeOf(place)) === "current";
    if (isOurs) return { tree: found.tree, session: found.kind === "session" ? found.session : undefined };
  }
  // Another ledger may have taken its place before the tree was read.
  const whole = readLedger(place);
  if (whole.kind !== "ledger") return UNKNOWN;
  const { tree, sessions } = whole.ledger;
  return { tree, session: Object.hasOwn(sessions, id) ? sessions[id] : undefined };
}

const UNKNOWN = { tree: undefined, session: undefined };

/**
 * The sessions of a root's ledger and the contexts of each, by name.
 *
 * @effect none
 * @error  none: a ledger that can't be used knows none
 */
export function sessionNames(workspace: Workspace, home: string): ReadonlyMap<string, readonly string[]> {
  const read = readLedger(findStatePlace(workspace.root.directory, workspace.places, home));
  const sessions = read.kind === "ledger" ? Object.entries(read.ledger.sessions) : [];
  const contexts = sessions.map(([id, session]): [string, string[]] => [id, Object.keys(session.contexts)]);
  return new Map(contexts.filter(([, names]) => names.length > 0));
}
