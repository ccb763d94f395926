import { expect, test } from "bun:test";
import { isNamed, isNewer, isOfLedger, nextTree, treeStatus } from "../../src/ledger/format.ts";

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
