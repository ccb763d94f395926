import type { Context, Delivery, Ledger, LoadedSkill, LoadedVersion, Ranges, Session } from "./schema.ts";

/** The format of a ledger: its text, its shape, and its tree, which decides whether the ledger is valid. */

export type SessionRead =
  | { readonly kind: "session"; readonly session: Session; readonly tree: string }
  | { readonly kind: "absent"; readonly tree: string }
  | { readonly kind: "other-shape" };

const HEAD_START = '{"version":1,"tree":"';

const HEAD_END = '"sessions":{';

const LEDGER_TAIL = "\n}}\n";

/**
 * The ledger as text: JSON with one session per line, so that a hook call finds its own session without parsing
 * hundreds of others.
 */
export function printLedger(ledger: Ledger): string {
  const { version, tree, n, sessions } = ledger;
  const head = JSON.stringify({ version, tree, n }).slice(0, -1);
  const lines = Object.entries(sessions).map(([id, session]) => sessionKey(id) + JSON.stringify(session));
  return `${head},"sessions":{\n${lines.join(",\n")}${LEDGER_TAIL}`;
}

/** The start of a session's line. */
function sessionKey(id: string): string {
  return `${JSON.stringify(id)}:`;
}

/** One session out of a ledger's text. `other-shape`: it isn't as `printLedger` writes it, and must be parsed whole. */
export function readSession(text: string, id: string): SessionRead {
  const headEnd = text.indexOf("\n");
  const isOurs =
    text.startsWith(HEAD_START) && text.startsWith(HEAD_END, headEnd - HEAD_END.length) && text.endsWith(LEDGER_TAIL);
  if (!isOurs) return { kind: "other-shape" };
  const tree = text.slice(HEAD_START.length, text.indexOf('"', HEAD_START.length));
  const key = sessionKey(id);
  const start = text.indexOf(`\n${key}`, headEnd);
  // If it is named elsewhere, something else may have broken the ledger into lines.
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
 * LedgerSchema as plain checks on the result of JSON.parse: importing zod would cost a hook call its whole time budget.
 * A property test compares the two.
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
    isTable(value) &&
    Object.keys(value).length === (value["delivery"] === undefined ? 4 : 5) &&
    isCount(value["epoch"]) &&
    isStrings(value["coveredDirs"]) &&
    isRecordOf(value["loadedVersions"], isLoadedVersion) &&
    isRecordOf(value["loadedSkills"], isLoadedSkill) &&
    (value["delivery"] === undefined || isDelivery(value["delivery"]))
  );
}

function isDelivery(value: unknown): value is Delivery {
  return (
    isTable(value) &&
    Object.keys(value).length === 4 + (value["up"] === undefined ? 0 : 1) + (value["cwd"] === undefined ? 0 : 1) &&
    typeof value["by"] === "string" &&
    isCount(value["at"]) &&
    (value["up"] === undefined || isCount(value["up"])) &&
    (value["cwd"] === undefined || typeof value["cwd"] === "string") &&
    isRecordOf(value["due"], isRanges) &&
    isRecordOf(value["given"], isRanges)
  );
}

function isRanges(value: unknown): value is Ranges {
  return Array.isArray(value) && Array.from(value).every(isRange);
}

function isRange(value: unknown): value is Ranges[number] {
  return Array.isArray(value) && value.length === 2 && isCount(value[0]) && isCount(value[1]);
}

function isLoadedVersion(value: unknown): value is LoadedVersion {
  if (!isTable(value)) return false;
  // Three required keys, and each optional key that is valid.
  let size = 3;
  if (value["named"] === true) size++;
  if (value["own"] === true) size++;
  if (Number.isSafeInteger(value["ctimeMs"])) size++;
  if (isCount(value["digest"])) size++;
  if (typeof value["directory"] === "string") size++;
  if (value["held"] !== undefined && isHeld(value["held"])) size++;
  return (
    Object.keys(value).length === size &&
    Number.isSafeInteger(value["mtimeMs"]) &&
    isCount(value["sizeBytes"]) &&
    isCount(value["n"])
  );
}

function isHeld(value: unknown): value is LoadedVersion["held"] {
  return isTable(value, 2) && isCount(value["at"]) && Array.isArray(value["calls"]) && value["calls"].every(isCount);
}

function isLoadedSkill(value: unknown): value is LoadedSkill {
  if (!isTable(value)) return false;
  const size = isCount(value["digest"]) ? 3 : 2;
  return Object.keys(value).length === size && Number.isSafeInteger(value["mtimeMs"]) && isCount(value["n"]);
}

function isRecordOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Record<string, Item> {
  if (!isTable(value)) return false;
  for (const key of Object.keys(value)) if (!isItem(value[key])) return false;
  return true;
}

/** `size`: the exact number of keys, so that no unknown key passes. */
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

/**
 * A ledger's `tree` ties it to its directory and its user: `<count>.<name>@<inode>`.
 *
 * The name is random and made with the ledger. The count goes up whenever the ledger loses content: a new ledger, a new
 * epoch of a context, a reset. The user's state directory remembers both, so that an older copy is never mistaken for
 * the present ledger, wherever it comes from. Older ledgers have `<device>:<inode>` instead; the device is ignored,
 * because a host and its containers number devices differently.
 */
interface Tree {
  readonly count: number;
  readonly name: string;
  readonly inode: string;
}

/** A larger count is not ours; adding to it could lose precision. */
const MAX_COUNT = 2 ** 50;

/**
 * Whether a ledger is valid: it is the one that is remembered, or was created later in this very directory.
 *
 * @param inode of the directory; asked for only if the tree is not the remembered one
 */
export function treeStatus(
  tree: string,
  remembered: string | undefined,
  inode: () => string | undefined,
): "current" | "stale" | "foreign" {
  if (remembered !== undefined && isSameMark(tree, remembered)) return "current";
  const found = parseTree(tree);
  if (found.inode !== inode()) return "foreign";
  return found.count > (remembered === undefined ? -1 : parseTree(remembered).count) ? "current" : "stale";
}

/** Whether a late record or an archived session belongs to a ledger. */
export function isOfLedger(tree: string, ledger: string, inode: string | undefined): boolean {
  const [found, own] = [parseTree(tree), parseTree(ledger)];
  // Without a name it was written by an older version, or by a call that found no ledger.
  return found.name === "" ? found.inode !== "" && found.inode === inode : found.name === own.name;
}

/**
 * The tree of a ledger that has lost content.
 *
 * @param random the name, if the ledger has none yet
 */
export function nextTree(
  present: string,
  remembered: string | undefined,
  inode: string,
  random: string,
  step = 1,
): string {
  const before = parseTree(present);
  const count = Math.max(before.count, remembered === undefined ? 0 : parseTree(remembered).count) + step;
  return `${count}.${before.name || random}@${inode}`;
}

/** False for a new ledger, and for one of an older version. */
export function isNamed(tree: string): boolean {
  return tree.includes("@");
}

/** Whether the first was made after the second. */
export function isNewer(tree: string, than: string | undefined): boolean {
  return than === undefined || parseTree(tree).count > parseTree(than).count;
}

function isSameMark(left: string, right: string): boolean {
  const mark = markOf(left);
  return mark !== "" && mark === markOf(right);
}

function markOf(tree: string): string {
  const at = tree.indexOf("@");
  return at < 0 ? "" : tree.slice(0, at);
}

function parseTree(tree: string): Tree {
  const dot = tree.indexOf(".");
  const at = tree.indexOf("@");
  const count = Number(tree.slice(0, dot));
  if (dot > 0 && at > dot + 1 && count > 0 && count < MAX_COUNT && Number.isSafeInteger(count)) {
    return { count, name: tree.slice(dot + 1, at), inode: tree.slice(at + 1) };
  }
  return { count: 0, name: "", inode: tree.slice(tree.indexOf(":") + 1) };
}
