import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { runAtTerminal } from "../support/run-at-terminal.ts";
import { tempTree } from "../support/temp-tree.ts";

const TREE = { "repo/.git/": { dir: true }, "repo/AGENTS.md": "Rules.\n", "home/": { dir: true } } as const;

test("init offers each client's hooks, and writes those that the user agrees to", async () => {
  using tree = tempTree(TREE);
  const at = { cwd: tree.path("repo"), home: tree.path("home") };
  const { shown, exitCode } = await runAtTerminal(["init"], { ...at, typed: ["y\n", "\n"] });
  expect(shown).toContain("Claude Code not installed, Codex not installed");
  expect(shown).toContain("Install hooks for Claude Code in");
  expect(shown).toContain("Install hooks for Codex in");
  expect(exitCode).toBe(0);
  expect(existsSync(tree.path("repo/.claude/settings.local.json"))).toBe(true);
  expect(existsSync(tree.path("repo/.codex"))).toBe(false);
});

test("codelia alone on a terminal shows what agents read, and asks nothing", async () => {
  using tree = tempTree(TREE);
  const { shown, exitCode } = await runAtTerminal([], { cwd: tree.path("repo"), home: tree.path("home") });
  expect(shown).toContain("1 instruction file, 0 skills");
  expect(shown).toContain("'codelia help' lists all commands");
  expect(shown).not.toContain("[N]o");
  expect(exitCode).toBe(0);
});
