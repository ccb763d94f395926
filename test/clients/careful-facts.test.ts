import { expect, test } from "bun:test";
import { carefulFacts } from "../../src/clients/tree-facts.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";

// What a hook looks into to know what a client loads, and what makes that uncertain.

const TREE: Readonly<Record<string, Entry>> = {
  "AGENTS.md": "Above.",
  ".claude/CLAUDE.md": "Hidden above.",
  ".claude/rules/r.md": "Rule above.",
  "elsewhere/AGENTS.md": "Secret.",
  "elsewhere/settings.json": '{ "a": 1 }',
  "main/.git/worktrees/w/gitdir": "x/.git",
  "repo/AGENTS.md": "Root.",
  "repo/out.md": { link: "../elsewhere/AGENTS.md" },
  "repo/in.md": { link: "AGENTS.md" },
  "repo/settings.json": '{ "a": 1 }',
  "repo/out.json": { link: "../elsewhere/settings.json" },
};

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test.each([
  ["repo/AGENTS.md", "Root."],
  ["repo/in.md", "Root."],
  ["AGENTS.md", "Above."],
  [".claude/CLAUDE.md", "Hidden above."],
  ["main/.git/worktrees/w/gitdir", "x/.git"],
  ["repo/out.md", "x"],
  ["elsewhere/AGENTS.md", "x"],
  [".claude/rules/r.md", "Rule above."],
])("of '%s' is read: %p", (name, said) => {
  using tree = tempTree(TREE);
  const { facts, isCertain } = carefulFacts(fakeWorld(), tree.path("repo"));
  expect([text(facts.start(tree.path(name), 100)), isCertain()]).toEqual([said, true]);
});

test("settings that lead out of the project, or can't be read, make it uncertain", () => {
  using tree = tempTree({ ...TREE, "repo/long.json": `"${"x".repeat(5 * 1024 * 1024)}"` });
  for (const [name, data, certain] of [
    ["repo/settings.json", { a: 1 }, true],
    ["elsewhere/settings.json", { a: 1 }, true],
    ["repo/none.json", undefined, true],
    ["repo/out.json", undefined, false],
    ["repo/long.json", undefined, false],
  ] as const) {
    const { facts, isCertain } = carefulFacts(fakeWorld(), tree.path("repo"));
    expect([name, facts.data(tree.path(name)), isCertain()]).toEqual([name, data, certain]);
  }
});

test("a name that can't be asked for makes it uncertain", () => {
  using tree = tempTree(TREE);
  const { facts, isCertain } = carefulFacts(fakeWorld(), tree.path("repo"));
  expect([facts.at(tree.path("repo/none.md")), isCertain()]).toEqual([undefined, true]);
  facts.at(tree.path("repo/a\0b.md"));
  expect(isCertain()).toBe(false);
});

test("too many texts, or too many names, make it uncertain", () => {
  using tree = tempTree({ "repo/a.md": "x".repeat(3 * 1024 * 1024), "repo/b.md": "y".repeat(3 * 1024 * 1024) });
  const long = carefulFacts(fakeWorld(), tree.path("repo"));
  for (let again = 0; again < 3; again++) long.facts.start(tree.path("repo/a.md"), 4_000_000);
  expect(long.isCertain()).toBe(true);
  long.facts.start(tree.path("repo/b.md"), 4_000_000);
  expect(long.isCertain()).toBe(false);
  const many = carefulFacts(fakeWorld(), tree.path("repo"));
  for (let index = 0; index < 20_000; index++) many.facts.at(tree.path("repo/a.md"));
  expect(many.isCertain()).toBe(true);
  expect([many.facts.at(tree.path("repo/a.md")), many.isCertain()]).toEqual([undefined, false]);
});
