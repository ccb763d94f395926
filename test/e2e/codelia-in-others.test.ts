import { expect, test } from "bun:test";
import { told } from "./lib/codelia-scene.ts";
import { HARNESS_TEST_MS, harnessClient } from "./lib/harness.ts";
import { isMissing, play, RULES } from "./lib/play-installed.ts";
import { countSeen, whereSeen } from "./lib/seen.ts";

// What the models of the real Gemini CLI, Qwen Code, Copilot CLI and Cline received, with what `codelia install`
// registers.

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
