import { describe, expect, test } from "bun:test";
import { makeText } from "../delivery/play.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { runClaude, type ClaudeOptions } from "./lib/claude.ts";
import { bash, read, spawn, write } from "./lib/claude-tools.ts";
import { CLAUDE, CODEX } from "./lib/clients.ts";
import { installHooks, told } from "./lib/codelia-scene.ts";
import { runCodex } from "./lib/codex.ts";
import { DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { countSeen, turnsOf } from "./lib/seen.ts";

// A repository with CLAUDE.md only, and starts that a compaction interrupts, in the real clients.

const ONLY_CLAUDE_MD: Readonly<Record<string, Entry>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".codelia/config.yaml": "agents: { fallbackFilenames: [CLAUDE.md] }\n",
  "CLAUDE.md": "Rule of the root. See @docs/style.md and `@docs/code.md`.\n",
  "docs/style.md": "Rule of style.\n",
  "docs/code.md": "Rule of code.\n",
  "app/CLAUDE.md": "Rule of the app. @more.md\n",
  "app/more.md": "More of the app.\n",
  "app/main.ts": "export {};\n",
  "lib/.claude/CLAUDE.md": "Rule of the lib.\n",
  "lib/one.ts": "export {};\n",
};
const AT_START = ["Rule of the root.", "Rule of style."];
const NEVER = ["Rule of code."];
const NESTED = ["app/CLAUDE.md", "app/more.md", "lib/.claude/CLAUDE.md"];

function expectCounts(run: ClientRun, texts: readonly string[], counts: readonly number[]): void {
  expect(texts.map((text) => [text, countSeen(run, text)])).toEqual(texts.map((text) => [text, [...counts]]));
}

async function playClaude(tree: TempTree, options: Omit<ClaudeOptions, "tree" | "home">): Promise<ClientRun> {
  using home = tempTree({});
  installHooks("claude", tree, home);
  const run = await runClaude({ ...options, tree, home });
  expect(run.exitCode).toBe(0);
  return run;
}

test.skipIf(CODEX.missing !== undefined)(
  "Codex is told of CLAUDE.md files, with what they import, each once",
  async () => {
    using tree = tempTree(ONLY_CLAUDE_MD);
    using home = tempTree({});
    installHooks("codex", tree, home);
    const main = ["cat app/main.ts", "cat lib/one.ts", "ls app lib"].map((command) => ({
      toolUses: [DIRECT_TOOLS.run(command)],
    }));
    const run = await runCodex({ tree, home, prompt: "Go.", script: { main } });
    expectCounts(run, AT_START, [1, 1, 1, 1]);
    expectCounts(run, NEVER, [0, 0, 0, 0]);
    expectCounts(run, [told(tree, "app/CLAUDE.md"), told(tree, "app/more.md")], [0, 1, 1, 1]);
    expectCounts(run, [told(tree, "lib/.claude/CLAUDE.md")], [0, 0, 1, 1]);
  },
  TEST_TIMEOUT_MS,
);

describe.skipIf(CLAUDE.missing !== undefined)("Claude Code", () => {
  test(
    "is told of no CLAUDE.md that it loads itself, at the start, with a touch and in a sub-agent",
    async () => {
      using tree = tempTree(ONLY_CLAUDE_MD);
      const run = await playClaude(tree, {
        prompt: "Go.",
        script: {
          main: [
            { toolUses: [read(tree.path("app/main.ts"))] },
            { toolUses: [bash("ls app")] },
            { toolUses: [write(tree.path("lib/new.ts"))] },
            { toolUses: [bash("ls lib")] },
            { toolUses: [spawn("Look around.")] },
          ],
          agents: { "Look around.": [{ toolUses: [read(tree.path("app/main.ts"))] }, { toolUses: [bash("ls app")] }] },
        },
      });
      expectCounts(run, AT_START, [1, 1, 1, 1, 1, 1]);
      expectCounts(run, NEVER, [0, 0, 0, 0, 0, 0]);
      expectCounts(run, ["Rule of the app.", "More of the app."], [0, 1, 1, 1, 1, 1]);
      expectCounts(run, ["Rule of the lib."], [0, 0, 0, 1, 1, 1]);
      for (const name of NESTED) {
        expect(countSeen(run, told(tree, name)).at(-1)).toBe(0);
        expect(countSeen(run, told(tree, name), "Look around.").at(-1)).toBe(0);
      }
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "is told of what it does not load: where its first touch is a command that brings none",
    async () => {
      using tree = tempTree(ONLY_CLAUDE_MD);
      const main = ["ls app", "ls app lib"].map((command) => ({ toolUses: [bash(command)] }));
      const run = await playClaude(tree, { prompt: "Go.", script: { main } });
      expectCounts(run, [told(tree, "app/CLAUDE.md"), told(tree, "app/more.md")], [0, 1, 1]);
      expectCounts(run, [told(tree, "lib/.claude/CLAUDE.md")], [0, 0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "gets all of a long start once more where it is compacted before it had all, and once where it is resumed",
    async () => {
      // More than the parts of a start hold.
      const text = makeText("AGENTS.md", 230_000);
      const lines = text.split("\n").filter((line) => line.startsWith("- Rule ") && line.endsWith("always."));
      using tree = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": text, "CLAUDE.md": "Be brief.\n" });
      using home = tempTree({});
      installHooks("claude", tree, home);
      const main = Array.from({ length: 10 }, () => ({ toolUses: [bash("true")] }));
      const script = { main: [{ text: "Done." }, ...main] };
      const first = await runClaude({ tree, home, prompt: ["Go.", "/compact", "Go on."], script });
      const resumed = await runClaude({ tree, home, resume: true, prompt: "Go on.", script: { main } });
      const present = (run: ClientRun, at: number) => {
        const seen = turnsOf(run).at(at)?.seen ?? [];
        const all = seen.flatMap((part) => part.text.split("\n"));
        const count = new Map<string, number>();
        for (const line of all) count.set(line, (count.get(line) ?? 0) + 1);
        const counts = lines.map((line) => count.get(line) ?? 0);
        return { most: Math.max(...counts), share: counts.filter((each) => each > 0).length / lines.length };
      };
      const before = present(first, 0);
      expect([before.most, before.share > 0.5, before.share < 1]).toEqual([1, true, true]);
      expect(present(first, -1)).toEqual({ most: 1, share: 1 });
      expect(present(resumed, -1)).toEqual({ most: 1, share: 1 });
    },
    3 * TEST_TIMEOUT_MS,
  );
});
