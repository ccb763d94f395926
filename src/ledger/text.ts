import type { Ledger, Session, Context, LoadedSkill, LoadedVersion } from "./schema.ts";

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

/**
 * LedgerSchema as plain checks of what JSON.parse gives: importing zod would cost a hook call its whole time budget. A property test
 * holds the two equal.
 */
export function isLedger(value: unknown): value is Ledger {
  return (
    isTable(value, 4) &&
    value["version"] === 1 &&
    typeof value["tree"] === "string" &&
    isCount(value["n"]) &&
    isRecordOf(value["sessions"], isSession)
  );
}

export function isSession(value: unknown): value is Session {
  return (
    isTable(value) &&
    Object.keys(value).length === (value["forgotten"] === undefined ? 6 : 7) &&
    typeof value["cwd"] === "string" &&
    typeof value["root"] === "string" &&
    isStrings(value["markers"]) &&
    Number.isSafeInteger(value["startedAt"]) &&
    Number.isSafeInteger(value["updatedAt"]) &&
    isRecordOf(value["contexts"], isContext) &&
    (value["forgotten"] === undefined || isRecordOf(value["forgotten"], isCount))
  );
}

function isContext(value: unknown): value is Context {
  return (
    isTable(value, 4) &&
    isCount(value["epoch"]) &&
    isStrings(value["coveredDirs"]) &&
    isRecordOf(value["loadedVersions"], isLoadedVersion) &&
    isRecordOf(value["loadedSkills"], isLoadedSkill)
  );
}

function isLoadedVersion(value: unknown): value is LoadedVersion {
  if (!isTable(value)) return false;
  // With those that need not be there, as far as they are as they should be.
  let size = 3;
  if (value["named"] === true) size++;
  if (Number.isSafeInteger(value["ctimeMs"])) size++;
  if (isCount(value["digest"])) size++;
  return (
    Object.keys(value).length === size &&
    Number.isSafeInteger(value["mtimeMs"]) &&
    isCount(value["sizeBytes"]) &&
    isCount(value["n"])
  );
}

function isLoadedSkill(value: unknown): value is LoadedSkill {
  return isTable(value, 2) && Number.isSafeInteger(value["mtimeMs"]) && isCount(value["n"]);
}

function isRecordOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Record<string, Item> {
  if (!isTable(value)) return false;
  for (const key of Object.keys(value)) if (!isItem(value[key])) return false;
  return true;
}

/** With `size`: and has that many keys, so that one which is not asked for has no room. */
function isTable(value: unknown, size?: number): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return size === undefined || Object.keys(value).length === size;
}

function isStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== "string") return false;
  return true;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
