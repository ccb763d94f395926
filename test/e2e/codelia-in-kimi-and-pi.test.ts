import { describe, expect, test } from "bun:test";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import type { HarnessClient } from "./lib/harness-client.ts";
import { HARNESS_TEST_MS, harnessClient, runHarness } from "./lib/harness.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import type { Answer, Script, ToolUse } from "./lib/script.ts";
import { countSeen, lastSeen, whereSeen } from "./lib/seen.ts";

// What the models of the real Kimi Code and pi received, in sessions of several processes, with what `codelia install`
// registers: what the client leaves out, once for each context.

const RULES = "the user overrides all.";
const SUMMARY = "What was said so far, in short.";
const DIFF = 'type="session.resume.diff"';
const FILES = {
  ...RULED_FILES,
  ".agents/skills/short/SKILL.md": "---\nname: short\ndescription: Draft notes\n---\nText.\n",
  ".agents/skills/long/SKILL.md": `---\nname: long\ndescription: ${"Read on. ".repeat(40)}The end.\n---\nText.\n`,
  "pack/AGENTS.override.md": "Rule of the pack.\n",
  "pack/one.ts": "",
  // Without it Kimi Code's model hears of files with prompts alone.
  ".codelia/config.json": '{"agents":{"resolver":{"gate":"tell"}}}',
};

type Turns = (tools: HarnessClient["tools"], tree: TempTree) => readonly Answer[];

interface Part {
  readonly turns: Turns;
  readonly agents?: (tools: HarnessClient["tools"]) => NonNullable<Script["agents"]>;
  /** Written before it. */
  readonly changes?: Readonly<Record<string, string>>;
}

/** A session, one process for each part. */
async function play(name: string, parts: readonly Part[], check: (runs: ClientRun[], tree: TempTree) => void) {
  using tree = tempTree(FILES);
  using home = tempTree();
  installHooks(name, tree, home);
  const { tools } = harnessClient(name);
  const runs: ClientRun[] = [];
  for (const [index, { turns, agents, changes = {} }] of parts.entries()) {
    for (const [path, text] of Object.entries(changes)) tree.write(path, text);
    const script = { main: turns(tools, tree), summary: SUMMARY, ...(agents && { agents: agents(tools) }) };
    const run = await runHarness(name, { tree, home, script, resume: index > 0 });
    expect({ exitCode: run.exitCode, leftBehind: run.leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
    runs.push(run);
  }
  check(runs, tree);
}

const use = (toolUse: ToolUse): Answer => ({ toolUses: [toolUse] });
const MANY_TOKENS = 5_000_000;
const EDITED = { "AGENTS.md": "New rule of the root.\n", "app/AGENTS.md": "New rule of the app.\n" };
const isMissing = (name: string) => harnessClient(name).client.missing !== undefined;

describe.skipIf(isMissing("pi"))("pi", () => {
  test(
    "rules at the start, its own files and skills not told by us, nested ones behind the tool's result",
    () =>
      play(
        "pi",
        [
          {
            turns: ({ read, shell, replace }, tree) => [
              use(read(tree.path("app/main.ts"))),
              use(shell("cat lib/one.ts")),
              use(read(tree.path("lib/two.ts"))),
              use(replace!(tree.path("pack/one.ts"), "a", "b")),
            ],
          },
        ],
        ([run], tree) => {
          expect(countSeen(run!, RULES)).toEqual([1, 1, 1, 1, 1]);
          expect(whereSeen(run!, RULES)).toEqual(["user text"]);
          expect(countSeen(run!, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
          expect(whereSeen(run!, "Rule of the root.")).toEqual(["system text"]);
          expect(countSeen(run!, "Draft notes")).toEqual([1, 1, 1, 1, 1]);
          expect(countSeen(run!, "The end.")).toEqual([1, 1, 1, 1, 1]);
          expect(countSeen(run!, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0, 0]);
          expect(countSeen(run!, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1, 1]);
          expect(countSeen(run!, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1, 1]);
          // The call fails, and is answered all the same.
          expect(countSeen(run!, told(tree, "pack/AGENTS.override.md"))).toEqual([0, 0, 0, 0, 1]);
          expect(whereSeen(run!, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
        },
      ),
    HARNESS_TEST_MS,
  );

  test(
    "after a compaction all of it again, once",
    () =>
      play(
        "pi",
        [
          { turns: ({ shell }) => [use(shell("cat app/main.ts")), { text: "Done.", inputTokens: MANY_TOKENS }] },
          { turns: ({ shell }) => [use(shell("cat app/main.ts")), use(shell("cat app/main.ts"))] },
        ],
        ([, run], tree) => {
          expect(countSeen(run!, SUMMARY)).toEqual([1, 1, 1]);
          expect(countSeen(run!, RULES)).toEqual([1, 1, 1]);
          expect(countSeen(run!, "are already in your context")).toEqual([1, 1, 1]);
          expect(countSeen(run!, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1]);
        },
      ),
    HARNESS_TEST_MS,
  );

  test(
    "a resumed session is told what has changed, but for what it loads anew",
    () =>
      play(
        "pi",
        [
          { turns: ({ shell }) => [use(shell("cat app/main.ts"))] },
          { turns: ({ shell }) => [use(shell("cat app/main.ts"))], changes: EDITED },
        ],
        ([, run], tree) => {
          expect(countSeen(run!, RULES)).toEqual([1, 1]);
          expect(countSeen(run!, "New rule of the root.")).toEqual([1, 1]);
          expect(countSeen(run!, told(tree, "AGENTS.md"))).toEqual([0, 0]);
          expect(countSeen(run!, DIFF)).toEqual([1, 1]);
          // As in the history, and as changed.
          expect(countSeen(run!, told(tree, "app/AGENTS.md"))).toEqual([2, 2]);
        },
      ),
    HARNESS_TEST_MS,
  );
});

const KEPT = "Nothing was done: the call is kept back once";

describe.skipIf(isMissing("kimi"))("Kimi Code", () => {
  test(
    "rules and cut skills with the prompt; a command that brings what it does not name is kept back once",
    () =>
      play(
        "kimi",
        [
          {
            turns: ({ read, shell }, tree) => [
              use(read(tree.path("app/main.ts"))),
              use(shell("cat app/main.ts")),
              use(shell("ls lib | head -5")),
              use(shell("cat lib/one.ts")),
              use(read(tree.path("pack/one.ts"))),
              use(read(tree.path("pack/one.ts"))),
            ],
          },
        ],
        ([run], tree) => {
          expect(countSeen(run!, RULES)).toEqual([1, 1, 1, 1, 1, 1, 1]);
          expect(countSeen(run!, "Rule of the root.")).toEqual([1, 1, 1, 1, 1, 1, 1]);
          expect(countSeen(run!, "Draft notes").at(0)).toBe(1);
          expect(countSeen(run!, "The end.").at(0)).toBe(1);
          expect(whereSeen(run!, "The end.")).toEqual(["user text"]);
          expect(countSeen(run!, told(tree, "AGENTS.md")).at(-1)).toBe(0);
          // It names these itself.
          for (const name of ["app/AGENTS.md", "lib/AGENTS.md"]) {
            expect(countSeen(run!, told(tree, name)).at(-1)).toBe(0);
            expect(countSeen(run!, `- ${tree.path(name)}\n`).at(-1)).toBe(1);
          }
          expect(countSeen(run!, told(tree, "pack/AGENTS.override.md"))).toEqual([0, 0, 0, 0, 0, 1, 1]);
          expect(countSeen(run!, KEPT)).toEqual([0, 0, 0, 0, 0, 1, 1]);
        },
      ),
    HARNESS_TEST_MS,
  );

  test(
    "a shell command is kept back before it runs, in a sub-agent too, and runs when it is repeated",
    () =>
      play(
        "kimi",
        [
          {
            turns: ({ shell, spawn }) => [
              use(shell("echo one > app/new.ts")),
              use(shell("echo two > app/new.ts")),
              use(spawn!("Look at lib.")),
            ],
            agents: ({ shell }) => ({ "Look at lib.": [use(shell("cat lib/one.ts")), use(shell("cat lib/one.ts"))] }),
          },
        ],
        ([run], tree) => {
          expect(countSeen(run!, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
          expect(whereSeen(run!, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
          expect(countSeen(run!, KEPT).slice(0, 3)).toEqual([0, 1, 1]);
          expect(tree.read("app/new.ts")).toBe("two\n");
          expect(countSeen(run!, told(tree, "lib/AGENTS.md"), "Look at lib.")).toEqual([0, 1, 1]);
          expect(lastSeen(run!, "Look at lib.")).toContain("export {};");
        },
      ),
    HARNESS_TEST_MS,
  );

  test(
    "after a compaction nested files at once, the rules with the next prompt",
    () =>
      play(
        "kimi",
        [
          {
            turns: ({ shell }) => [
              use(shell("cat app/main.ts")),
              { toolUses: [shell("true")], inputTokens: MANY_TOKENS },
              use(shell("cat app/main.ts")),
              use(shell("cat app/main.ts")),
            ],
          },
          { turns: () => [] },
        ],
        ([first, second], tree) => {
          expect(first!.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
          expect(countSeen(first!, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 0, 1, 1]);
          expect(countSeen(first!, RULES)).toEqual([1, 1, 0, 0, 0]);
          expect(countSeen(second!, RULES)).toEqual([1]);
          expect(countSeen(second!, "are already in your context")).toEqual([1]);
        },
      ),
    HARNESS_TEST_MS,
  );

  test(
    "a resumed session is told what has changed: it loads nothing anew",
    () =>
      play(
        "kimi",
        [
          { turns: ({ shell }) => [use(shell("cat app/main.ts"))] },
          { turns: ({ shell }) => [use(shell("cat app/main.ts"))], changes: EDITED },
          { turns: () => [] },
        ],
        ([, second, third], tree) => {
          expect(countSeen(second!, "New rule of the root.")).toEqual([0, 0]);
          expect(countSeen(second!, told(tree, "AGENTS.md"))).toEqual([1, 1]);
          expect(countSeen(second!, told(tree, "app/AGENTS.md"))).toEqual([2, 2]);
          expect(countSeen(second!, DIFF)).toEqual([1, 1]);
          expect(countSeen(third!, DIFF)).toEqual([1]);
          expect(countSeen(third!, RULES)).toEqual([1]);
        },
      ),
    HARNESS_TEST_MS,
  );
});
