import { expect, test } from "bun:test";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { installHooks, RULED_FILES, told } from "./lib/codelia-scene.ts";
import type { HarnessClient } from "./lib/harness-client.ts";
import { HARNESS_TEST_MS, harnessClient, runHarness } from "./lib/harness.ts";
import type { ClientRun } from "./lib/run-with-model.ts";
import type { Answer, Script, ToolUse } from "./lib/script.ts";
import { countSeen, whereSeen } from "./lib/seen.ts";

// What the models of the real Gemini CLI, Qwen Code, opencode, Kilo Code, Copilot CLI and Cline received, with what
// `codelia install` registers.

const FILES = {
  ...RULED_FILES,
  ".agents/skills/release-notes/SKILL.md": "---\nname: release-notes\ndescription: Draft notes\n---\nText.\n",
};
const RULES = "the user overrides all.";

interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly agents?: NonNullable<Script["agents"]>;
}

async function play(
  host: string,
  uses: (tools: HarnessClient["tools"], tree: TempTree) => readonly Use[],
  check: (run: ClientRun, tree: TempTree) => void,
  { files = {}, agents = {} }: Scene = {},
): Promise<void> {
  using tree = tempTree({ ...FILES, ...files });
  using home = tempTree();
  installHooks(host, tree, home);
  const script = { main: uses(harnessClient(host).tools, tree).map(toTurn), agents };
  const played = await runHarness(host, { tree, home, script });
  // Cline leaves a server of its own, for its next start.
  const leftBehind = played.leftBehind.filter((line) => !line.includes("--cline-hub-daemon"));
  expect({ exitCode: played.exitCode, leftBehind }).toEqual({ exitCode: 0, leftBehind: [] });
  check(played, tree);
}

type Use = ToolUse & Pick<Answer, "inputTokens" | "text">;

function toTurn({ inputTokens, text, ...use }: Use): Answer {
  return { toolUses: [use], ...(inputTokens !== undefined && { inputTokens }), ...(text !== undefined && { text }) };
}

const isMissing = (host: string) => harnessClient(host).client.missing !== undefined;

test.skipIf(isMissing("gemini"))(
  "Gemini CLI: the root's text at the start, a nested file with the first touch, each once",
  () =>
    play(
      "gemini",
      ({ read, shell }, tree) => [
        read(tree.path("app/main.ts")),
        shell("cat lib/one.ts"),
        read(tree.path("lib/two.ts")),
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
        expect(whereSeen(run, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
      },
    ),
  HARNESS_TEST_MS,
);

test.skipIf(isMissing("qwen"))(
  "Qwen Code: rules with the first prompt, its own files and skills not told by us, nested ones with the first touch",
  () =>
    play(
      "qwen",
      ({ read, shell }, tree) => [
        read(tree.path("app/main.ts")),
        shell("cat lib/one.ts"),
        read(tree.path("lib/two.ts")),
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(whereSeen(run, "Rule of the root.")).toEqual(["system text"]);
        // The client describes it with its tool for skills.
        expect(countSeen(run, "release-notes/SKILL.md")).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
      },
    ),
  HARNESS_TEST_MS,
);

for (const host of ["opencode", "kilo"]) {
  const { title } = harnessClient(host);

  test.skipIf(isMissing(host))(
    `${title}: rules and skills in the system prompt, its own files not told by us, others behind the tool's output`,
    () =>
      play(
        host,
        ({ read, shell }, tree) => [shell("cat app/main.ts"), read(tree.path("lib/one.ts")), shell("cat lib/two.ts")],
        (run, tree) => {
          expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
          expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
          expect(countSeen(run, "Rule of the app.")).toEqual([0, 0, 0, 0]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
          expect(whereSeen(run, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
          // The client brings this one with what it reads.
          expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1, 1]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 0]);
          expect(countSeen(run, "Draft notes")).toEqual([1, 1, 1, 1]);
        },
      ),
    HARNESS_TEST_MS,
  );

  test.skipIf(isMissing(host))(
    `${title}: a nested file that its config names is given by it from the start, and not told by us`,
    () =>
      play(
        host,
        ({ read, shell }, tree) => [shell("cat app/main.ts"), read(tree.path("app/main.ts")), shell("cat lib/two.ts")],
        (run, tree) => {
          expect(countSeen(run, "Rule of the app.")).toEqual([1, 1, 1, 1]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 0, 0, 0]);
          expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 1]);
        },
        { files: { "opencode.json": '{ "instructions": ["app/*.md"] }' } },
      ),
    HARNESS_TEST_MS,
  );

  test.skipIf(isMissing(host))(
    `${title}: after a compaction it is told again`,
    () =>
      play(
        host,
        ({ shell }) => [
          shell("cat app/main.ts"),
          { ...shell("true"), inputTokens: 5_000_000 },
          shell("cat app/main.ts"),
        ],
        (run, tree) => {
          expect(run.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
          expect(countSeen(run, RULES).at(-1)).toBe(1);
          expect(countSeen(run, told(tree, "app/AGENTS.md")).at(-1)).toBe(1);
        },
      ),
    HARNESS_TEST_MS,
  );

  test.skipIf(isMissing(host))(
    `${title}: a resumed session is told nothing again that is still in its history`,
    async () => {
      const { shell } = harnessClient(host).tools;
      using tree = tempTree(FILES);
      using home = tempTree();
      installHooks(host, tree, home);
      const turns = (...commands: string[]) => ({ main: commands.map((command) => toTurn(shell(command))) });
      await runHarness(host, { tree, home, script: turns("cat app/main.ts") });
      const run = await runHarness(host, {
        tree,
        home,
        script: turns("cat app/main.ts", "cat lib/one.ts"),
        resume: true,
      });
      expect(countSeen(run, RULES)).toEqual([1, 1, 1]);
      expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([1, 1, 1]);
      expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1]);
    },
    HARNESS_TEST_MS,
  );

  test.skipIf(isMissing(host))(
    `${title}: a sub-agent is told what its parent was told`,
    () => {
      const { shell, spawn } = harnessClient(host).tools;
      const agents = { "Look there.": [{ toolUses: [shell("cat app/main.ts")] }] };
      return play(
        host,
        () => [shell("cat app/main.ts"), spawn!("Look there.")],
        (run, tree) => {
          expect(countSeen(run, RULES, "Look there.")).toEqual([1, 1]);
          expect(countSeen(run, told(tree, "app/AGENTS.md"), "Look there.")).toEqual([0, 1]);
        },
        { agents },
      );
    },
    HARNESS_TEST_MS,
  );
}

test.skipIf(isMissing("kilo"))(
  "Kilo Code: a file that it leaves out because of a token is given by us",
  () =>
    play(
      "kilo",
      () => [],
      (run) => expect(countSeen(run, "Rule with a token.")).toEqual([1]),
      { files: { "AGENTS.md": "Rule with a token.\n{env:HOME}\n" } },
    ),
  HARNESS_TEST_MS,
);

test.skipIf(isMissing("cline"))(
  "Cline: rules and skills with the first tool call, a nested file with the first touch, each once",
  () =>
    play(
      "cline",
      ({ read, shell }, tree) => [
        read(tree.path("app/main.ts")),
        shell("cat lib/one.ts"),
        read(tree.path("lib/two.ts")),
      ],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        // The client names its skills, and does not say what they are for.
        expect(countSeen(run, "Draft notes")).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "AGENTS.md"))).toEqual([0, 0, 0, 0]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 1, 1]);
        expect(whereSeen(run, told(tree, "app/AGENTS.md"))).toEqual(["user text"]);
      },
    ),
  HARNESS_TEST_MS,
);

test.skipIf(isMissing("cline"))(
  "Cline: no hook hears of a compaction, so what was told is not told again",
  () =>
    play(
      "cline",
      ({ read, shell }, tree) => [
        read(tree.path("app/main.ts")),
        read(tree.path("lib/one.ts")),
        { ...shell("true"), inputTokens: 5_000_000, text: harnessClient("cline").compacts?.says ?? "" },
        shell("cat app/main.ts"),
      ],
      (run, tree) => {
        expect(run.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 0, 0]);
      },
    ),
  HARNESS_TEST_MS,
);

test.skipIf(isMissing("copilot"))(
  "Copilot CLI: after a compaction nested files are told that the client brings only once",
  () =>
    play(
      "copilot",
      ({ read, shell }, tree) => [
        read(tree.path("lib/one.ts")),
        { ...shell("true"), inputTokens: 5_000_000 },
        shell("echo one"),
        shell("echo two"),
        read(tree.path("lib/two.ts")),
        shell("cat lib/two.ts"),
      ],
      (run, tree) => {
        expect(run.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
        expect(countSeen(run, "Rule of the lib.").at(-1)).toBe(0);
        expect(countSeen(run, told(tree, "lib/AGENTS.md")).slice(-3)).toEqual([0, 1, 1]);
      },
    ),
  HARNESS_TEST_MS,
);

test.skipIf(isMissing("copilot"))(
  "Copilot CLI: rules at the start, its own files and skills not told by us, what it leaves out behind the tool's result",
  () =>
    play(
      "copilot",
      ({ read, shell }, tree) => [shell("cat app/main.ts"), read(tree.path("lib/one.ts")), shell("cat lib/two.ts")],
      (run, tree) => {
        expect(countSeen(run, RULES)).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, "Rule of the root.")).toEqual([1, 1, 1, 1]);
        expect(whereSeen(run, "Rule of the root.")).toEqual(["system text"]);
        expect(countSeen(run, "Draft notes")).toEqual([1, 1, 1, 1]);
        expect(countSeen(run, told(tree, "app/AGENTS.md"))).toEqual([0, 1, 1, 1]);
        expect(whereSeen(run, told(tree, "app/AGENTS.md"))).toEqual(["tool tool_result"]);
        // The client brings this one with what it shows.
        expect(countSeen(run, "Rule of the lib.")).toEqual([0, 0, 1, 1]);
        expect(countSeen(run, told(tree, "lib/AGENTS.md"))).toEqual([0, 0, 0, 0]);
      },
    ),
  HARNESS_TEST_MS,
);
