import type { Ledger, Session } from "../schema/ledger.ts";
import { mergeLedgers } from "./ledger-merge.ts";

/** A session idle this long leaves the ledger for its archive. */
const ARCHIVE_AFTER_MS = 24 * 60 * 60 * 1000;
/** An archived session this old is forgotten. */
export const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export interface Pruned {
  readonly ledger: Ledger;
  readonly idle: readonly (readonly [id: string, session: Session])[];
}

/** Takes the idle sessions out, `kept` never among them. A clock that went backwards archives nothing. */
export function prune(ledger: Ledger, kept: string, now: number): Pruned {
  const entries = Object.entries(ledger.sessions);
  const idle: typeof entries = [];
  for (const entry of entries) {
    if (entry[0] !== kept && now - entry[1].updatedAt > ARCHIVE_AFTER_MS) idle.push(entry);
  }
  if (idle.length === 0) return { ledger, idle };
  const gone = new Set(idle.map(([id]) => id));
  return { ledger: { ...ledger, sessions: Object.fromEntries(entries.filter(([id]) => !gone.has(id))) }, idle };
}

/** A session's record put into a ledger, from its archive for one, without losing what is there. */
export function restore(ledger: Ledger, id: string, session: Session): Ledger {
  return mergeLedgers(ledger, { ...ledger, sessions: { [id]: session } });
}

/** Forgets a session, or one context of it. */
export function forget(ledger: Ledger, session: string, context?: string): Ledger {
  const found = Object.hasOwn(ledger.sessions, session) ? ledger.sessions[session] : undefined;
  if (found === undefined) return ledger;
  if (context === undefined) return { ...ledger, sessions: without(ledger.sessions, session) };
  const kept: Session = { ...found, contexts: without(found.contexts, context) };
  return { ...ledger, sessions: { ...ledger.sessions, [session]: kept } };
}

function without<Value>(table: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
}
