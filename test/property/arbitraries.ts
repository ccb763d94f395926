import {
  array,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  string,
  tuple,
  uniqueArray,
  type Arbitrary,
} from "fast-check";
import type { Context, Ledger, Session } from "../../src/ledger/schema.ts";

/** Few enough to meet, and each with its own way to be taken for something else. */
const TRICKY_NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "",
  "1",
  "a",
  "b",
  "/r/AGENTS.md",
  'quote"',
  'key":{"',
  "back\\slash",
  "line\nend",
  "\u2028",
  "é",
  "\u{1F600}",
  "\uD800",
];

export function anyName(): Arbitrary<string> {
  return oneof({ weight: 4, arbitrary: constantFrom(...TRICKY_NAMES) }, string({ unit: "binary" }));
}

/** Any text at all, rich in what means something to us. */
export function textWith(pieces: readonly string[]): Arbitrary<string> {
  const piece = oneof({ weight: 3, arbitrary: constantFrom(...pieces) }, string({ unit: "binary", maxLength: 6 }));
  return array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
}

/** An absolute path with any characters in its names, but for those that XML can't hold and we don't escape yet. */
export function anyPath(): Arbitrary<string> {
  const name = textWith([
    " ",
    "&",
    "<",
    ">",
    '"',
    "'",
    "&amp;",
    "\\",
    "\n",
    "\r",
    "\t",
    "\u200B",
    "\u202E",
    "]]>",
    "- ",
  ]);
  return array(name, { minLength: 1, maxLength: 4 }).map((names) =>
    `/${names.join("/")}`.replaceAll("\0", "").replace(/[\uFFFE\uFFFF]/g, ""),
  );
}

function tableOf<Value>(value: Arbitrary<Value>): Arbitrary<Record<string, Value>> {
  const entries = uniqueArray(tuple(anyName(), value), { selector: ([key]) => key, maxLength: 4 });
  return entries.map((list) => Object.fromEntries(list));
}

const whole = () => oneof(nat(3), integer(), constantFrom(0, -1, Number.MAX_SAFE_INTEGER));
const count = () => nat(3);

function anyContext(): Arbitrary<Context> {
  return record({
    epoch: nat(1),
    coveredDirs: uniqueArray(anyName(), { maxLength: 4 }).map((names) => names.toSorted()),
    loadedVersions: tableOf(
      record(
        {
          mtimeMs: whole(),
          sizeBytes: count(),
          n: count(),
          ctimeMs: whole(),
          digest: count(),
          named: constant(true as const),
          directory: anyName(),
        },
        { requiredKeys: ["mtimeMs", "sizeBytes", "n"] },
      ),
    ),
    loadedSkills: tableOf(record({ mtimeMs: whole(), n: count() })),
  });
}

/** What a merge leaves: of what was forgotten nothing from before. */
function anySession(): Arbitrary<Session> {
  const session = record({
    cwd: constantFrom("/r", "/r/a"),
    root: constantFrom("/r", "/"),
    markers: array(constantFrom(".git", ".jj"), { maxLength: 2 }),
    startedAt: nat(3),
    updatedAt: nat(3),
    contexts: tableOf(anyContext()),
  });
  return tuple(session, oneof({ weight: 2, arbitrary: constant({}) }, tableOf(nat(2)))).map(([known, forgotten]) =>
    Object.keys(forgotten).length === 0 ? known : withForgotten(known, forgotten),
  );
}

function withForgotten(session: Session, forgotten: Record<string, number>): Session {
  const epochs = new Map(Object.entries(forgotten));
  const left = Object.entries(session.contexts).filter(([name, { epoch }]) => epoch >= (epochs.get(name) ?? 0));
  return { ...session, contexts: Object.fromEntries(left), forgotten };
}

export function anyLedger(): Arbitrary<Ledger> {
  const old = tuple(nat(3), nat(3)).map(([device, inode]) => `${device}:${inode}`);
  const named = tuple(nat(3), nat(3)).map(([number, inode]) => `${number + 1}.name@${inode}`);
  const tree = oneof(old, named);
  return record({ version: constantFrom(1 as const), tree, n: nat(3), sessions: tableOf(anySession()) });
}
