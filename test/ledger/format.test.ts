import { expect, test } from "bun:test";
import { applyChange } from "../../src/ledger/changes.ts";
import { emptyLedger } from "../../src/ledger/contexts.ts";
import {
  isNamed,
  isNewer,
  isOfLedger,
  nextTree,
  printLedger,
  readSession,
  treeStatus,
} from "../../src/ledger/format.ts";
import { fileAt, SURROUNDINGS } from "../support/samples.ts";

const ONE = applyChange(
  emptyLedger("64769:131"),
  { session: "s", context: "main" },
  SURROUNDINGS,
  { kind: "cover", told: [fileAt("/r/AGENTS.md")], gone: [] },
  100,
);
const TWO = applyChange(
  ONE,
  { session: "t", context: "main" },
  SURROUNDINGS,
  { kind: "cover", told: [], gone: [] },
  100,
);

test("printLedger() is JSON with one session per line", () => {
  expect(printLedger(emptyLedger("1:2"))).toBe('{"version":1,"tree":"1:2","n":0,"sessions":{\n\n}}\n');
  const text = printLedger(TWO);
  expect(JSON.parse(text)).toEqual(TWO);
  expect(text.split("\n").map((line) => line.slice(0, 5))).toEqual(['{"ver', '"s":{', '"t":{', "}}", ""]);
});

test("readSession() finds each of several sessions, and the tree", () => {
  for (const id of ["s", "t"]) {
    const session = TWO.sessions[id] as never;
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "session", tree: "64769:131", session });
  }
});

for (const id of ["", "x", 's":{"cwd', "s\n", "__proto__"]) {
  test(`readSession() finds nothing when there is no session ${JSON.stringify(id)}`, () => {
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "absent", tree: "64769:131" });
  });
}

for (const id of ["sessions", "cwd", "main", "/r/AGENTS.md"]) {
  test(`readSession() leaves it open whether '${id}', which is found elsewhere, is a session`, () => {
    expect(readSession(printLedger(TWO), id)).toEqual({ kind: "other-shape" });
  });
}

const TEXT = printLedger(TWO);
const OTHER_SHAPES: [what: string, text: string][] = [
  ["an empty file", ""],
  ["a ledger on one line", `${JSON.stringify(TWO)}\n`],
  ["a ledger that was formatted", `${JSON.stringify(TWO, undefined, 2)}\n`],
  ["a newer version", TEXT.replace('"version":1', '"version":2')],
  ["a ledger cut short", TEXT.slice(0, -2)],
  ["a session cut short", TEXT.replace('"epoch":0', '"epoch":')],
  ["a session of another shape", TEXT.replace('"epoch":0', '"epoch":"0"')],
  ["a session without its value", TEXT.replace(/"s":.*\n/, '"s":\n')],
  ["a key with a space after it", TEXT.replace('"s":{', '"s" :{')],
  ["two sessions in a line", TEXT.replace(/\n("[^\n]*,)\n/, (_, first: string) => `\n${first} `)],
  ["a key on a line of its own", TEXT.replace('"s":{', '"s":\n{')],
];
for (const [what, text] of OTHER_SHAPES) {
  test(`readSession() leaves ${what} to others`, () => {
    expect(readSession(text, "s")).toEqual({ kind: "other-shape" });
  });
}

const JUDGED: [
  verdict: string,
  what: string,
  tree: string,
  remembered: string | undefined,
  inode: string | undefined,
][] = [
  ["current", "the remembered one", "3.name@7", "3.name@7", "7"],
  ["current", "the remembered one in another directory", "3.name@7", "3.name@7", "8"],
  ["current", "the remembered one where nobody can look", "3.name@7", "3.name@7", undefined],
  ["current", "a later one of this directory", "4.other@7", "3.name@7", "7"],
  ["current", "one of this directory, with none remembered", "3.name@7", undefined, "7"],
  ["stale", "an earlier one of this directory", "2.name@7", "3.name@7", "7"],
  ["stale", "another one with the same count", "3.other@7", "3.name@7", "7"],
  ["foreign", "an earlier one of another directory", "2.name@7", "3.name@7", "8"],
  ["foreign", "a later one of another directory", "4.name@7", "3.name@7", "8"],
  ["foreign", "one where nobody can look, with none remembered", "3.name@7", undefined, undefined],
  ["current", "one of an older version, with none remembered", "65024:7", undefined, "7"],
  ["stale", "one of an older version, with one remembered", "65024:7", "1.name@7", "7"],
  ["foreign", "one of an older version from another directory", "65024:7", undefined, "8"],
  ["foreign", "nothing", "", undefined, "7"],
  ["foreign", "nothing, where one is remembered that no ledger has", "", "1003.name@", "7"],
  ["foreign", "a count that is none", "x.name@7", undefined, "7"],
  ["foreign", "a count below zero", "-1.name@7", undefined, "7"],
  ["foreign", "a count with a fraction", "1.5.name@7", "1.name@7", "8"],
  ["foreign", "a count that is too large", `${2 ** 53}.name@7`, undefined, "7"],
  ["foreign", "no name", "3.@7", undefined, "7"],
];
for (const [verdict, what, tree, remembered, inode] of JUDGED) {
  test(`treeStatus() calls ${what} ${verdict}`, () => {
    expect(treeStatus(tree, remembered, () => inode)).toBe(verdict as never);
  });
}

test("treeStatus() does not ask for the inode of the remembered one", () => {
  const refuse = () => {
    throw new Error("asked");
  };
  expect(treeStatus("3.name@7", "3.name@9", refuse)).toBe("current");
});

const BELONGS: [does: boolean, what: string, tree: string, ledger: string][] = [
  [true, "of the same name and count", "3.name@7", "3.name@7"],
  [true, "of the same name and an earlier count", "2.name@7", "3.name@7"],
  [true, "of an older version and this directory", "65024:7", "3.name@7"],
  [true, "of an older version, as the ledger", "65024:7", "65025:7"],
  [false, "of another name", "3.other@7", "3.name@7"],
  [false, "of a name, where the ledger has none", "3.name@7", "65024:7"],
  [false, "of an older version and another directory", "65024:8", "3.name@7"],
  [false, "of nothing", "", "3.name@7"],
];
for (const [does, what, tree, ledger] of BELONGS) {
  test(`isOfLedger() is ${does} for a record ${what}`, () => expect(isOfLedger(tree, ledger, "7")).toBe(does));
}

const NEXT: [what: string, present: string, remembered: string | undefined, expected: string][] = [
  ["names a new ledger", "65024:7", undefined, "1.random@9"],
  ["counts on from what is remembered", "65024:7", "5.name@7", "6.random@9"],
  ["keeps a name", "5.name@7", "5.name@7", "6.name@9"],
  ["counts on from the higher count", "8.name@7", "5.name@7", "9.name@9"],
  ["counts on from what was retired", "5.name@7", "1005.other@", "1006.name@9"],
];
for (const [what, present, remembered, expected] of NEXT) {
  test(`nextTree() ${what}`, () => {
    const next = nextTree(present, remembered, "9", "random");
    expect(next).toBe(expected);
    expect(isNamed(next)).toBe(true);
    for (const before of [present, remembered]) expect(isNewer(next, before)).toBe(true);
  });
}
