import { describe, expect, test } from "bun:test";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { CODEX } from "./lib/clients.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import { CODEX_MODELS, runCodex, type CodexOptions } from "./lib/codex.ts";
import { addFile, CODE_MODE_TOOLS, DIRECT_TOOLS } from "./lib/codex-tools.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import { countSeen, lastSeen } from "./lib/seen.ts";

// What the model of the real Codex received, with codelia in its hooks.

/** In a home of its own or the given one, with the hooks that `codelia install` registers. */
async function play(tree: TempTree, options: Omit<CodexOptions, "tree" | "hooks">): Promise<ClientRun> {
  using ownHome = tempTree();
  const home = options.home ?? ownHome;
  installHooks("codex", tree, home);
  const run = await runCodex({ ...options, home, tree });
  expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
  for (const { seen } of run.seenByModel) for (const part of seen) expect(part.text).not.toBe("");
  return run;
}

const MODELS = [
  { model: CODEX_MODELS[0], tools: DIRECT_TOOLS },
  { model: CODEX_MODELS[1], tools: CODE_MODE_TOOLS },
] as const;

describe.skipIf(CODEX.missing !== undefined)("codelia in Codex", () => {
  describe.each(MODELS)("with $model", ({ model, tools }) => {
    test(
      "its own files are not told by us, nested ones with the first touch, each once",
      async () => {
        using tree = tempTree(RULED_FILES);
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: {
            main: [
              { toolUses: [tools.run("cat app/main.ts")] },
              { toolUses: [tools.patch(addFile("lib/new.ts"))] },
              { toolUses: [tools.run("cat main.ts", tree.path("app"))] },
            ],
          },
        });
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
      },
      TEST_TIMEOUT_MS,
    );

    test(
      "parallel commands below one new directory: one reminder",
      async () => {
        using tree = tempTree(RULED_FILES);
        const commands = Array.from({ length: 8 }, () => "cat lib/one.ts");
        const run = await play(tree, {
          model,
          prompt: "Go.",
          script: { main: [{ toolUses: tools.runAll(commands) }] },
        });
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 1]);
      },
      TEST_TIMEOUT_MS,
    );
  });

  test(
    "after a resume only what changed",
    async () => {
      using tree = tempTree(RULED_FILES);
      using home = tempTree({});
      const script = { main: [{ toolUses: [DIRECT_TOOLS.run("cat app/main.ts")] }] };
      await play(tree, { home, prompt: "Go.", script });
      const same = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(lastSeen(same)).not.toContain("Session resumed");
      expect(countSeen(same, told(tree, "app/AGENTS.md"))).toEqual([1, 1]);
      tree.write("app/AGENTS.md", "Rule of the app, and another one.\n");
      const changed = await play(tree, { home, resume: true, prompt: "Go on.", script });
      expect(countSeen(changed, told(tree, "app/AGENTS.md"))).toEqual([1, 2]);
    },
    TEST_TIMEOUT_MS,
  );
});
