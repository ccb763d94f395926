import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { CODELIA, REPOSITORY } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";
import { runClaude, runClaudeCommand } from "./lib/claude.ts";
import { bash, read, spawn } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { RULED_FILES, told } from "./lib/codelia-scene.ts";
import { runCodex, runCodexCommand } from "./lib/codex.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { agentsOf, countSeen, lastSeen } from "./lib/seen.ts";

// The plugin of this repository in the real clients: found in its marketplace, installed, and heard by the model.

const PLUGIN = join(REPOSITORY, "hooks/plugin");
const PATH = `${dirname(CODELIA)}:${process.env["PATH"]}`;
const FILES = { ...RULED_FILES, "CLAUDE.md": "Be brief.\n" };

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code", () => {
  test.each([PLUGIN, REPOSITORY])(
    "finds no fault in %s",
    async (path) => {
      using home = tempTree();
      const { stdout, exitCode } = await runClaudeCommand(["plugin", "validate", path], home, home.root);
      expect(stdout).toContain("Validation passed");
      expect(stdout).not.toContain("Validation passed with warnings");
      expect(exitCode).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "with --plugin-dir the model is told at the start, with the first touch, and in a sub-agent",
    async () => {
      using tree = tempTree(FILES);
      const run = await runClaude({
        tree,
        prompt: "Go.",
        env: { PATH },
        args: ["--plugin-dir", PLUGIN],
        script: {
          main: [
            { toolUses: [read(tree.path("app/main.ts"))] },
            { toolUses: [bash("cat lib/one.ts")] },
            { toolUses: [spawn("Look around.")] },
          ],
          agents: { "Look around.": [{ toolUses: [bash("cat lib/two.ts")] }] },
        },
      });
      const { exitCode, stderr, leftBehind } = run;
      expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 0, stderr: "", leftBehind: [] });
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"), agentsOf(run)[0])).toEqual([0, 1]);
      expect(lastSeen(run)).toContain("codelia:codelia");
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "installed from the marketplace it works in each session",
    async () => {
      using tree = tempTree(FILES);
      using home = tempTree();
      for (const args of [
        ["plugin", "marketplace", "add", REPOSITORY],
        ["plugin", "install", "codelia@codelia"],
      ]) {
        expect((await runClaudeCommand(args, home, tree.root)).exitCode).toBe(0);
      }
      const script = { main: [{ toolUses: [bash("cat lib/one.ts")] }] };
      const run = await runClaude({ tree, home, prompt: "Go.", env: { PATH }, script });
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "without the program nothing happens, and nothing is blocked",
    async () => {
      using tree = tempTree(FILES);
      const run = await runClaude({
        tree,
        prompt: "Go.",
        args: ["--plugin-dir", PLUGIN],
        env: { PATH: "/usr/bin:/bin" },
        script: { main: [{ toolUses: [read(tree.path("app/main.ts"))] }] },
      });
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(countSeen(run, "codelia-reminder")).toEqual([0, 0]);
    },
    TEST_TIMEOUT_MS,
  );
});

test.skipIf(CODEX.missing !== undefined)(
  "Codex: installed from the marketplace, the model is told once, by Codex's own adapter",
  async () => {
    using tree = tempTree(RULED_FILES);
    using home = tempTree();
    for (const args of [
      ["plugin", "marketplace", "add", REPOSITORY],
      ["plugin", "add", "codelia@codelia"],
    ]) {
      const { exitCode, stderr } = await runCodexCommand(args, home, tree.root);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    }
    const { run: cat } = DIRECT_TOOLS;
    const script = { main: [{ toolUses: [cat("cat app/main.ts")] }, { toolUses: [cat("cat app/main.ts")] }] };
    const run = await runCodex({ tree, home, prompt: "Go.", env: { PATH }, script });
    expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1]);
    expect(lastSeen(run)).toContain('<system-reminder type="agents.resolve.paths">');
    expect(lastSeen(run)).toContain("codelia:codelia");
  },
  TEST_TIMEOUT_MS,
);
