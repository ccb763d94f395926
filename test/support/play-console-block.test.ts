import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { ConsoleBlock } from "./console-blocks.ts";
import { playConsoleBlock, type ManualPlaces } from "./play-console-block.ts";
import { tempTree, type TempTree } from "./temp-tree.ts";

function manual(): TempTree {
  return tempTree({
    codelia: { text: "#!/bin/sh\npwd\ncat AGENTS.md\n", mode: 0o755 },
    "trees/demo/dot-git": "",
    "trees/demo/AGENTS.md": "Demo rules.\n",
    "trees/demo/inner/CLAUDE.md": { link: "../AGENTS.md" },
    "repository/.git/HEAD": "",
    "repository/.codelia/session.json": "{}",
    "repository/AGENTS.md": "Repository rules.\n",
    "repository/node_modules/package/file": "installed\n",
    "repository/test/dot-git": "",
  });
}

async function play(tree: TempTree, block: Partial<ConsoleBlock>): Promise<readonly string[]> {
  const places: ManualPlaces = {
    codelia: tree.path("codelia"),
    repository: tree.path("repository"),
    trees: tree.path("trees"),
  };
  return await playConsoleBlock({ file: "a.md", line: 7, lines: [], ...block }, places);
}

test("playConsoleBlock() plays in a copy of a fixture tree", async () => {
  using tree = manual();
  const lines = [
    "$ codelia",
    "/home/me/project",
    "Demo rules.",
    "$ cat inner/CLAUDE.md; rm inner/CLAUDE.md; ls -A",
    "Demo rules.",
    ".git",
    "AGENTS.md",
    "inner",
  ];
  expect(await play(tree, { lines, tree: "demo" })).toEqual([]);
  expect(existsSync(tree.path("trees/demo/inner/CLAUDE.md"))).toBe(true);
});

test("playConsoleBlock() plays in a copy of the repository, without its history and its ledger", async () => {
  using tree = manual();
  const lines = [
    "$ codelia",
    "/home/me/project",
    "Repository rules.",
    "$ ls -A",
    ".git",
    "AGENTS.md",
    "node_modules",
    "test",
  ];
  const more = ["$ cat node_modules/package/file; ls -A .git", "installed", "$ echo $npm_config_offline", "true"];
  expect(await play(tree, { lines: [...lines, ...more], cwd: "repo" })).toEqual([]);
});

test("playConsoleBlock() keeps the repository from whatever a block does to the copy", async () => {
  using tree = manual();
  const lines = ["$ touch new node_modules/new; rm -r AGENTS.md node_modules/package; ls node_modules", "new"];
  expect(await play(tree, { lines, cwd: "repo" })).toEqual([]);
  expect(existsSync(tree.path("repository/new"))).toBe(false);
  expect(existsSync(tree.path("repository/node_modules/new"))).toBe(false);
  expect(tree.read("repository/AGENTS.md")).toBe("Repository rules.\n");
  expect(tree.read("repository/node_modules/package/file")).toBe("installed\n");
});

test("playConsoleBlock() plays in an empty directory, if nothing else is said", async () => {
  using tree = manual();
  expect(await play(tree, { lines: ["$ ls -A; ls -A ~", "project", "$ pwd", "/home/me/project"] })).toEqual([]);
});

test("playConsoleBlock() puts the working directory where the manual shows another", async () => {
  using tree = manual();
  const block = {
    lines: ["$ pwd", "/home/me/demo", "$ echo /home/me/demo/a", "/home/me/demo/b"],
    work: "/home/me/demo",
  };
  const mismatches = await play(tree, block);
  expect(mismatches).toEqual([expect.stringContaining("- /home/me/demo/b\n+ /home/me/demo/a")]);
});

test("playConsoleBlock() tells what did not go as written, by the manual's own lines", async () => {
  using tree = manual();
  const lines = ["$ echo a", "a", "$ echo b >&2; exit 3", "$ pwd", "d"];
  const mismatches = await play(tree, { lines });
  expect(mismatches.map((text) => text.split(":")[0])).toEqual(["line 9", "line 10"]);
  expect(mismatches[0]).toContain("+ b\n+ [exit 3]");
  expect(mismatches[1]).toContain("- d\n+ /home/me/project");
});

test("playConsoleBlock() knows exit codes, both streams in either order, examples and what is left out", async () => {
  using tree = manual();
  const lines = [
    "$ echo a; echo b >&2; exit 3",
    "b",
    "a",
    "$ echo took 7 s; echo 1795136011344; echo one two three",
    "took 0.1 s",
    "1763596800000",
    "one … three",
  ];
  expect(await play(tree, { lines, exits: "3 0", varies: ["0.1 s"] })).toEqual([]);
  expect(await play(tree, { lines, exits: "0 3", varies: ["0.1 s"] })).toHaveLength(2);
  expect(await play(tree, { lines, exits: "3" })).toEqual([expect.stringContaining("- took 0.1 s\n+ took 7 s")]);
});

test("playConsoleBlock() wants a directory that a reader could have", async () => {
  using tree = manual();
  await expect(play(tree, { lines: ["$ true"], work: "/srv/demo" })).rejects.toThrow("'work' must be below '/home/me'");
});

test("playConsoleBlock() has no mercy with a fixture that is not there", async () => {
  using tree = manual();
  await expect(play(tree, { lines: ["$ true"], tree: "missing" })).rejects.toThrow("missing");
});
