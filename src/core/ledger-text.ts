import type { Ledger, Session } from "../schema/ledger.ts";
import { isSession } from "./ledger-guard.ts";

export type SessionRead =
  | { readonly kind: "session"; readonly session: Session; readonly tree: string }
  | { readonly kind: "absent"; readonly tree: string }
  | { readonly kind: "other-shape" };

const HEAD_START = '{"version":1,"tree":"';
const HEAD_END = '"sessions":{';
const TAIL = "\n}}\n";

/**
 * The ledger as text: JSON with one session a line, so that a hook call finds its own session without parsing
 * what hundreds of others were told.
 */
export function printLedger(ledger: Ledger): string {
  const { version, tree, n, sessions } = ledger;
  const head = JSON.stringify({ version, tree, n }).slice(0, -1);
  const lines = Object.entries(sessions).map(([id, session]) => `${JSON.stringify(id)}:${JSON.stringify(session)}`);
  return `${head},"sessions":{\n${lines.join(",\n")}\n}}\n`;
}

/** A ledger's text without the cost of decoding all of it. */
export interface LedgerSource {
  readonly length: number;
  /** The offset of `text` at or after `from`, or -1. */
  indexOf(text: string, from: number): number;
  text(start: number, end: number): string;
}

/**
 * One session out of a ledger's text. `other-shape`: not as `printLedger` writes it; ask `parseLedger` then.
 */
export function readSession(source: LedgerSource, id: string): SessionRead {
  const headEnd = source.indexOf("\n", 0);
  const head = source.text(0, Math.max(0, headEnd));
  const isOurs =
    head.startsWith(HEAD_START) && head.endsWith(HEAD_END) && source.text(source.length - 4, source.length) === TAIL;
  if (!isOurs) return { kind: "other-shape" };
  const tree = head.slice(HEAD_START.length, head.indexOf('"', HEAD_START.length));
  const key = `\n${JSON.stringify(id)}:`;
  const start = source.indexOf(key, headEnd);
  if (start < 0) return { kind: "absent", tree };
  const line = source.text(start + 1, source.indexOf("\n", start + 1));
  const body = line.slice(JSON.stringify(id).length + 1, line.endsWith(",") ? -1 : undefined);
  try {
    const session: unknown = JSON.parse(body);
    return isSession(session) ? { kind: "session", session, tree } : { kind: "other-shape" };
  } catch {
    return { kind: "other-shape" };
  }
}
