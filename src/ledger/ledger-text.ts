import type { Ledger, Session } from "./schema.ts";
import { isSession } from "./ledger-guard.ts";

export type SessionRead =
  | { readonly kind: "session"; readonly session: Session; readonly tree: string }
  | { readonly kind: "absent"; readonly tree: string }
  | { readonly kind: "other-shape" };

const HEAD_START = '{"version":1,"tree":"';
const HEAD_END = '"sessions":{';
const LEDGER_TAIL = "\n}}\n";

/**
 * The ledger as text: JSON with one session a line, so that a hook call finds its own session without parsing
 * what hundreds of others were told.
 */
export function printLedger(ledger: Ledger): string {
  const { version, tree, n, sessions } = ledger;
  const head = JSON.stringify({ version, tree, n }).slice(0, -1);
  const lines: string[] = [];
  for (const [id, session] of Object.entries(sessions)) lines.push(sessionKey(id) + JSON.stringify(session));
  return `${head},"sessions":{\n${lines.join(",\n")}${LEDGER_TAIL}`;
}

/** How a session's line begins. */
function sessionKey(id: string): string {
  return `${JSON.stringify(id)}:`;
}

/**
 * One session out of a ledger's text. `other-shape`: not as `printLedger` writes it; ask `parseLedger` then.
 */
export function readSession(text: string, id: string): SessionRead {
  const headEnd = text.indexOf("\n");
  const isOurs =
    text.startsWith(HEAD_START) && text.startsWith(HEAD_END, headEnd - HEAD_END.length) && text.endsWith(LEDGER_TAIL);
  if (!isOurs) return { kind: "other-shape" };
  const tree = text.slice(HEAD_START.length, text.indexOf('"', HEAD_START.length));
  const key = sessionKey(id);
  const start = text.indexOf(`\n${key}`, headEnd);
  // Named somewhere else, it may be the session of a ledger that another hand has laid out in lines of its own.
  if (start < 0) return text.includes(JSON.stringify(id)) ? { kind: "other-shape" } : { kind: "absent", tree };
  const bodyStart = start + 1 + key.length;
  const lineEnd = text.indexOf("\n", bodyStart);
  const body = text.slice(bodyStart, text[lineEnd - 1] === "," ? lineEnd - 1 : lineEnd);
  try {
    const session: unknown = JSON.parse(body);
    return isSession(session) ? { kind: "session", session, tree } : { kind: "other-shape" };
  } catch {
    return { kind: "other-shape" };
  }
}
