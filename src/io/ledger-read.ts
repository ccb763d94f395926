import { join } from "node:path";
import { shortHash } from "../core/hash.ts";
import { isLedger, isSession } from "../core/ledger-guard.ts";
import { mergeLedgers, mergeSessions } from "../core/ledger-merge.ts";
import { readSession } from "../core/ledger-text.ts";
import { DEFAULT_SESSION } from "../core/session-name.ts";
import type { UserPlaces } from "../core/user-places.ts";
import type { Ledger, Session } from "../schema/ledger.ts";
import { readLate, readLateSession, type LateRecords } from "./late-records.ts";
import { readText } from "./read-file.ts";
import { findStatePlace, ledgerPath, treeOf, type StatePlace } from "./state-place.ts";

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
 * Finds a session: in the ledger of this root, in its archive, or where the session began, when that was
 * elsewhere. One read when it is where it is expected.
 *
 * @effect none
 * @error  none: what can't be read counts as not known, and is dealt with when something is recorded
 */
export function viewSession(root: string, id: string, places: UserPlaces, home: string): SessionView {
  const place = findStatePlace(root, places, home);
  const here = viewIn(place, id);
  if (here.session !== undefined || id === DEFAULT_SESSION) return here;
  const origin = readPointer(places, id);
  if (origin === undefined || origin === root) return here;
  const there = viewIn(findStatePlace(origin, places, home), id);
  return there.session === undefined ? here : there;
}

export function viewIn(place: StatePlace, id: string): SessionView {
  const late = readLateSession(place, id);
  const kept = sessionIn(place, id) ?? readArchived(place, id);
  return { place, session: kept === undefined || late === undefined ? (kept ?? late) : mergeSessions(kept, late) };
}

/** With what was recorded late, which is read first: see there. */
export function readLedger(place: StatePlace): LedgerRead {
  return readWith(place, readLate(place));
}

/** Reads once more where a call failed: what others were told would be forgotten, and what is gone never be said. */
export function readLedgerSurely(place: StatePlace, late: LateRecords | undefined): LedgerRead {
  const read = readWith(place, late);
  return read.kind === "foreign" && read.isRefused ? readWith(place, late) : read;
}

function readWith(place: StatePlace, late: LateRecords | undefined): LedgerRead {
  const read = readAlone(place);
  if (late === undefined || read.kind === "foreign") return read;
  return { kind: "ledger", ledger: read.kind === "absent" ? late.ledger : mergeLedgers(read.ledger, late.ledger) };
}

function readAlone(place: StatePlace): LedgerRead {
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
  const tree = treeOf(place);
  if (value.tree === tree) return { kind: "ledger", ledger: value };
  const reason = "it was made for another directory";
  return { kind: "foreign", reason, ...(tree === undefined ? { isRefused: true } : {}) };
}

export function archivePath(place: StatePlace, id: string): string {
  return join(place.directory, "sessions", `${shortHash(id)}.json`);
}

export function pointerPath(places: UserPlaces, id: string): string {
  return join(places.state, "sessions", shortHash(id));
}

export function readArchived(place: StatePlace, id: string): Session | undefined {
  const archived = archivedAt(place, archivePath(place, id));
  return archived?.id === id ? archived.session : undefined;
}

/** What a file of the archive holds; it names the session, because two ids may share a hash. */
export function archivedAt(place: StatePlace, path: string): { id: string; session: Session } | undefined {
  const value = readJson(path);
  const id = value?.["id"];
  const session = value?.["session"];
  return typeof id === "string" && value?.["tree"] === treeOf(place) && isSession(session)
    ? { id, session }
    : undefined;
}

function readPointer(places: UserPlaces, id: string): string | undefined {
  const value = readJson(pointerPath(places, id));
  return value?.["id"] === id && typeof value["root"] === "string" ? value["root"] : undefined;
}

function sessionIn(place: StatePlace, id: string): Session | undefined {
  let read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind === "unusable") read = readText(ledgerPath(place), MAX_LEDGER_BYTES);
  if (read.kind !== "text") return undefined;
  const found = readSession(read.text, id);
  if (found.kind !== "other-shape") {
    return found.kind === "session" && found.tree === treeOf(place) ? found.session : undefined;
  }
  const whole = readLedger(place);
  return whole.kind === "ledger" && Object.hasOwn(whole.ledger.sessions, id) ? whole.ledger.sessions[id] : undefined;
}

function readJson(path: string): Record<string, unknown> | undefined {
  const read = readText(path, MAX_LEDGER_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
