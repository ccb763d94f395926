import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryOfRoot } from "../../src/config/user-directories.ts";
import { rememberedTree, type LedgerLocation } from "../../src/ledger/location.ts";
import { rememberTree, retireTree } from "../../src/ledger/tree.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

function placeOf(tree: TempTree, root: string): LedgerLocation {
  const directory = join(root, ".codelia");
  return { directory, isInProject: true, root, treeFile: join(directoryOfRoot(tree.path("state"), root), "tree") };
}

test("a tree is remembered until a newer one is, for its root alone", () => {
  using tree = tempTree();
  const [world, place] = [fakeWorld(), placeOf(tree, "/r")];
  expect(rememberedTree(place)).toBeUndefined();
  for (const [given, kept] of [
    ["2.a@1", "2.a@1"],
    ["1.a@1", "2.a@1"],
    ["2.b@1", "2.a@1"],
    ["3.b@1", "3.b@1"],
  ] as const) {
    rememberTree(world, place, given);
    expect(rememberedTree(place)).toBe(kept);
  }
  // Another root with the same hash.
  expect(rememberedTree({ ...place, root: "/s" })).toBeUndefined();
});

test("a tree that was retired is newer than any that a process may be about to remember", () => {
  using tree = tempTree();
  const [world, place] = [fakeWorld(), placeOf(tree, "/r")];
  rememberTree(world, place, "5.a@1");
  retireTree(world, place, "7.a@1");
  const retired = rememberedTree(place);
  for (const late of ["6.a@1", "8.a@1", "100.a@1"]) rememberTree(world, place, late);
  expect(rememberedTree(place)).toBe(retired as string);
});

test("a tree of another root is not remembered", () => {
  using tree = tempTree();
  const place = placeOf(tree, "/r");
  mkdirSync(join(place.treeFile, ".."), { recursive: true });
  for (const text of ["", "\n", "3.a@1", "3.a@1\n", "3.a@1\n/other\n", "3.a@1\n/r"]) {
    writeFileSync(place.treeFile, text);
    expect(rememberedTree(place)).toBeUndefined();
  }
});

test("the trees of the last thousand roots are remembered, and ledgers stay", () => {
  using tree = tempTree();
  const world = fakeWorld();
  for (let index = 0; index <= 1001; index++) {
    const directory = tree.path("state", index.toString(16).padStart(16, "0"));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "tree"), "1.a@1\n/x\n");
    utimesSync(join(directory, "tree"), 1000 + index, 1000 + index);
    if (index === 0) writeFileSync(join(directory, "session.json"), "{}");
  }
  const place = placeOf(tree, "/r");
  rememberTree(world, place, "1.a@1");
  expect(rememberedTree(place)).toBe("1.a@1");
  const left = (index: number) => readdirSync(tree.path("state")).includes(index.toString(16).padStart(16, "0"));
  expect([left(0), left(1), left(2), left(3), left(1001)]).toEqual([true, false, false, true, true]);
  expect(existsSync(tree.path("state", "0".repeat(16), "tree"))).toBe(false);
}, 20_000);
