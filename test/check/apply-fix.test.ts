import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { applyFix } from "../../src/check/fix.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { hookDisk } from "../support/disk-hooks.ts";

const FIXED = { kind: "fixed" } as const;

function rename(tree: TempTree, from = "agents.md") {
  return applyFix(fakeWorld(), tree.root, { kind: "rename", from: tree.path(from), to: tree.path("AGENTS.md") });
}

/** Every rename that the disk was asked for, as `from > to`. */
function recordRenames(tree: TempTree, renames: string[]) {
  const below = (path: string) => path.slice(tree.root.length + 1).replace(/\.\w+\.tmp$/, ".tmp");
  return (original: (from: string, to: string) => void) => (from: string, to: string) => {
    renames.push(`${below(from)} > ${below(to)}`);
    original(from, to);
  };
}

test("a rename that is ended anywhere leaves the file under one of its two names: it is one step", () => {
  using tree = tempTree({ "agents.md": "One.\n" });
  const renames: string[] = [];
  using _ = hookDisk({ rename: recordRenames(tree, renames) });
  expect(rename(tree)).toEqual(FIXED);
  expect([renames, readdirSync(tree.root)]).toEqual([["agents.md > AGENTS.md"], ["AGENTS.md"]]);
});

test("where letter case does not count, it is two steps: a name can't take its own place", () => {
  using tree = tempTree({ "agents.md": "One.\n" });
  const renames: string[] = [];
  const isThere = () => readdirSync(tree.root).includes("agents.md");
  using _ = hookDisk({
    rename: recordRenames(tree, renames),
    look: (original) => (path) =>
      path === tree.path("AGENTS.md") && isThere() ? original(tree.path("agents.md")) : original(path),
  });
  expect(rename(tree)).toEqual(FIXED);
  expect(renames).toEqual(["agents.md > agents.md.tmp", "agents.md.tmp > AGENTS.md"]);
  expect(readdirSync(tree.root)).toEqual(["AGENTS.md"]);
});

test("a name that was taken meanwhile is left to whoever has it", () => {
  using tree = tempTree({ "agents.md": "One.\n", "AGENTS.md": "Others.\n" });
  expect(rename(tree)).toEqual({ kind: "failed", reason: "the name has just been taken" });
  expect([tree.read("agents.md"), tree.read("AGENTS.md")]).toEqual(["One.\n", "Others.\n"]);
});

test("what is no file any more is left as it is", () => {
  using tree = tempTree({ "agents.md": { dir: true }, "CLAUDE.md": "AGENTS.md", "AGENTS.md": "CLAUDE.md" });
  expect(rename(tree)).toEqual({ kind: "failed", reason: "it has just changed" });
  for (const target of ["AGENTS.md", "agents.md"]) {
    const fix = { kind: "link", path: tree.path("CLAUDE.md"), target } as const;
    expect(applyFix(fakeWorld(), tree.root, fix)).toEqual({ kind: "failed", reason: "it has just changed" });
  }
  expect(tree.read("CLAUDE.md")).toBe("AGENTS.md");
});
