import type { Ledger, Session } from "./schema.ts";
import { findContext, findSession } from "./ledger.ts";
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

/** Drops contexts that are over. */
export function dropContext(ledger: Ledger, session: string, context: string): Ledger {
  const found = findSession(ledger, session);
  if (found === undefined) return ledger;
  return withSession(ledger, session, { ...found, contexts: without(found.contexts, [context]) });
}

/**
 * Makes contexts of a session know nothing. `forgotten` says from which epoch on their records count, so a record from
 * before that another process makes later brings nothing back.
 */
export function forgetContexts(ledger: Ledger, session: string, names: readonly string[]): Ledger {
  const found = findSession(ledger, session);
  if (found === undefined) return ledger;
  const epochs = names.map((name): [string, number] => [name, findContext(found, name).epoch + 1]);
  const forgotten = { ...found.forgotten, ...Object.fromEntries(epochs) };
  return withSession(ledger, session, { ...found, contexts: without(found.contexts, names), forgotten });
}

function withSession(ledger: Ledger, id: string, session: Session): Ledger {
  return { ...ledger, sessions: { ...ledger.sessions, [id]: session } };
}

function without<Value>(table: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  const gone = new Set(names);
  return Object.fromEntries(Object.entries(table).filter(([name]) => !gone.has(name)));
}
