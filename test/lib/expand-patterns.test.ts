import { expect, test } from "bun:test";
import { expandPatterns } from "../../src/lib/expand-patterns.ts";
import { tempTree } from "../support/temp-tree.ts";

const FILES = {
  "a/x.ts": "",
  "a/deep/y.ts": "",
  "a/[id]/z.ts": "",
  "b/x.ts": "",
  "b/.hidden/x.ts": "",
  "b/node_modules/p/x.ts": "",
  "b/.git/x.ts": "",
  "b/link": { link: "../a" },
  "b/real*.ts": "",
  "b/really.ts": "",
};

const CASES: [what: string, words: string[], paths: string[]][] = [
  ["leaves a path alone", ["a/x.ts", "no/such.ts"], ["a/x.ts", "no/such.ts"]],
  ["leaves a name with brackets alone", ["app/[id].tsx"], ["app/[id].tsx"]],
  ["leaves a pattern that matches nothing", ["no/*.ts"], ["no/*.ts"]],
  ["leaves a pattern that is a name", ["b/real*.ts"], ["b/real*.ts"]],
  ["matches names in one directory", ["a/*.ts"], ["R/a/x.ts"]],
  [
    "matches directories, and passes over links",
    ["[ab]*", "b/*"],
    ["R/a", "R/b", "R/b/real*.ts", "R/b/really.ts", "R/b/x.ts"],
  ],
  ["matches at any depth, sorted", ["a/**/*.ts"], ["R/a/[id]/z.ts", "R/a/deep/y.ts", "R/a/x.ts"]],
  ["looks into no link, hidden directory or dependency", ["b/**/x.ts"], ["R/b/x.ts"]],
  ["looks into a hidden directory that is named", ["b/.hidden/*"], ["R/b/.hidden/x.ts"]],
  ["looks into a dependency that is named", ["b/node_modules/*/x.ts"], ["R/b/node_modules/p/x.ts"]],
  ["takes brackets in the name of a directory as they are", ["a/[id]/*"], ["R/a/[id]/z.ts"]],
  ["matches one of several", ["{a,b}/x.ts"], ["R/a/x.ts", "R/b/x.ts"]],
  ["matches from a directory above", ["a/../b/x.*"], ["R/b/x.ts"]],
  ["matches an absolute pattern", ["R/a/*.ts"], ["R/a/x.ts"]],
  ["finds nothing above the directories in front", ["a/*/../../b/x.ts"], ["a/*/../../b/x.ts"]],
];
for (const [what, words, paths] of CASES) {
  test(`expandPatterns() ${what}`, () => {
    using tree = tempTree(FILES);
    const inTree = (path: string) => path.replace(/^R(?=\/)/, tree.root);
    const expanded = expandPatterns(tree.root, words.map(inTree));
    expect(expanded).toEqual({ kind: "paths", paths: paths.map(inTree) });
  });
}

test("expandPatterns() says how much is too much", () => {
  using tree = tempTree(FILES);
  expect(expandPatterns(tree.root, ["**/*.ts"], 3)).toEqual({
    kind: "too-many",
    reason: "'**/*.ts' has more than 3 files and directories to look at; name a directory in front of the pattern",
  });
  expect(expandPatterns(tree.root, ["a/*.ts"], 3)).toMatchObject({ kind: "paths" });
});
