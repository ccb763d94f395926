import { describe, expect, test } from "bun:test";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { CLAUDE_MODELS, runClaude, type ClaudeOptions } from "./lib/claude.ts";
import { bash, read, spawn, write } from "./lib/claude-tools.ts";
import { CLAUDE } from "./lib/clients.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { agentsOf, countSeen, lastSeen } from "./lib/seen.ts";

// What the model of the real Claude Code received, with codelia in its hooks.

/** With one of these the client leaves every AGENTS.md to us. */
const WITH_CLAUDE_MD = { ...RULED_FILES, "CLAUDE.md": "Be brief.\n" };

interface Scene extends Omit<ClaudeOptions, "tree" | "script" | "hooks"> {
  readonly script: (path: (name: string) => string) => ClaudeOptions["script"];
}

/** In a home of its own or the given one, with the hooks that `codelia install` registers. */
async function play(tree: TempTree, { script, ...options }: Scene): Promise<ClientRun> {
  using ownHome = tempTree();
  const home = options.home ?? ownHome;
  installHooks("claude", tree, home);
  const run = await runClaude({ ...options, home, tree, script: script((name) => tree.path(name)) ?? {} });
  const { exitCode, stderr, leftBehind } = run;
  expect({ exitCode, stderr, leftBehind }).toEqual({ exitCode: 0, stderr: "", leftBehind: [] });
  for (const { thread } of run.seenByModel) {
    const seen = lastSeen(run, thread);
    for (const trace of ["&lt;system-reminder", "<persisted-output>"]) expect(seen).not.toContain(trace);
  }
  return run;
}

const RESUMED = '<codelia-reminder type="session.resume.diff">\nSession resumed';

describe.skipIf(CLAUDE.missing !== undefined)("codelia in Claude Code", () => {
  describe.each(CLAUDE_MODELS)("with %s", (model) => {
    test(
      "with a CLAUDE.md: the root's text at the start, a nested file with the first touch, each once",
      async () => {
        using tree = tempTree(WITH_CLAUDE_MD);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [bash("cat lib/one.ts && cat app/main.ts")] },
              { toolUses: [write(path("lib/new.ts"))] },
              { toolUses: [read(path("lib/two.ts"))] },
            ],
          }),
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0, 0]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "without one: what the client loads itself is not told by us, what it does not is",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: (path) => ({
            main: [
              { toolUses: [read(path("app/main.ts"))] },
              { toolUses: [bash("cat app/main.ts")] },
              { toolUses: [bash("cat lib/one.ts")] },
            ],
          }),
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the app.")).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 1]);
      },
      TEST_TIMEOUT_MS,
    );
  });

  test(
    "twenty parallel reads below one new directory: one reminder",
    async () => {
      const many = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`lib/file-${index}.ts`, "export {};\n"]),
      );
      using tree = tempTree({ ...WITH_CLAUDE_MD, ...many });
      const run = await play(tree, {
        prompt: "Go.",
        script: (path) => ({ main: [{ toolUses: Object.keys(many).map((name) => read(path(name))) }] }),
      });
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "a sub-agent is told for itself, and its parent not again",
    async () => {
      using tree = tempTree(WITH_CLAUDE_MD);
      const run = await play(tree, {
        prompt: "Go.",
        script: (path) => ({
          main: [
            { toolUses: [read(path("app/main.ts"))] },
            { toolUses: [spawn("Look around.")] },
            { toolUses: [read(path("app/main.ts"))] },
          ],
          agents: {
            "Look around.": [{ toolUses: [read(path("app/main.ts"))] }, { toolUses: [bash("cat app/main.ts")] }],
          },
        }),
      });
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
      const [agent = ""] = agentsOf(run);
      expect(countSeen(run, "Rule of the root.", agent)).toEqual([1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"), agent)).toEqual([0, 1, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "after a compaction everything once more",
    async () => {
      using tree = tempTree(WITH_CLAUDE_MD);
      const run = await play(tree, {
        prompt: ["Go.", "/compact", "Go on."],
        script: (path) => ({
          main: [
            { toolUses: [read(path("app/main.ts"))] },
            { text: "Read." },
            { toolUses: [read(path("app/main.ts"))] },
          ],
        }),
      });
      // Two requests before it, two after it.
      expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 0, 1]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    "after a resume only what changed",
    async () => {
      using tree = tempTree(WITH_CLAUDE_MD);
      using home = tempTree({});
      const script: Scene["script"] = (path) => ({ main: [{ toolUses: [read(path("app/main.ts"))] }] });
      await play(tree, { home, prompt: "Go.", script });
      const same = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(countSeen(same, RESUMED)).toEqual([0, 0]);
      expect(countSeen(same, told(tree, "app/AGENTS.md"))).toEqual([1, 1]);
      tree.write("app/AGENTS.md", "Rule of the app, and another one.\n");
      const changed = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(countSeen(changed, RESUMED)).toEqual([0, 0]);
      // The change is below the working directory: told with the next touch.
      expect(countSeen(changed, told(tree, "app/AGENTS.md"))).toEqual([1, 2]);
    },
    TEST_TIMEOUT_MS,
  );
});
