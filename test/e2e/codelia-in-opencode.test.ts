import { expect, test } from "bun:test";
import { tempTree } from "../support/temp-tree.ts";
import { installHooks, told } from "./lib/codelia-scene.ts";
import { HARNESS_TEST_MS, harnessClient, runHarness } from "./lib/harness.ts";
import { FILES, isMissing, play, RULES, toTurn } from "./lib/play-installed.ts";
import { countSeen, whereSeen } from "./lib/seen.ts";

// What the models of the real opencode and Kilo Code received, with what `codelia install` registers.

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
