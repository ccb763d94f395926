import { describe, expect, test } from "bun:test";
import { ENGINES } from "./lib/engine-scene.ts";
import { MODES, playExample, type Move, type Played } from "./lib/example-scene.ts";
import { TEST_TIMEOUT_MS } from "./lib/limits.ts";
import { lastSeen, turnsOf } from "./lib/seen.ts";

// The examples of docs/ with the real clients, driven and guided: to success, to a failure that is seen, and through a
// compaction.

/** How each model is told what to answer, whoever asks it. */
const FORM = `End your answer with a JSON object in a fence that begins with \`\`\`json. Its fields:
- purpose (string): what the change is for
- files (array): the changed files that matter, the most important first`;
const SURVEY: Move = { data: { purpose: "It caches rates.", files: ["src/rates.js"] } };
const FINDING = "src/rates.js:3 the cache never expires";
const EXAMINE: Move = { data: { findings: [FINDING], blocking: 1 } };
const WRITE: Move = { runs: "echo 'The cache never expires.' >review.md" };
const REPORT: Move = { data: { verdict: "mend" } };
const verdict = (pass: boolean, reason: string): Move => ({ data: { pass, reason } });

const VARIABLES: Readonly<Record<string, string>> = { reviewer: "base=main", new: "task=Tidy." };

/** 1500 bytes each; the limit of the example is 2000. */
const MODULE = `${"x".repeat(1499)}\n`;
const SOURCES = {
  "build.sh": "mkdir -p out && cat src/*.js >out/app.js\n",
  "src/a.js": MODULE,
  "src/b.js": MODULE,
  "src/c.js": MODULE,
};
const plan = (name: string): Move => ({ data: { change: `Drop ${name}.js.`, saves: 1500 } });
const drop = (name: string): Move => ({ runs: `rm src/${name}.js` });
const said = (name: string): Move => ({ text: `I dropped ${name}.js.` });

function expectSeen({ seen }: Played, texts: readonly string[]): void {
  const whole = turnsOf(seen).flatMap((request) => request.seen.map(({ text }) => text));
  for (const text of texts) expect(whole.some((part) => part.includes(text))).toBe(true);
}

/** The caller of a driven run gets the failure; in a guided one the model does, which is asked to report it. */
function expectFailure(played: Played, error: string, code: string): void {
  const { result, exitCode } = played;
  expect(result).toMatchObject({ success: false, error: expect.stringContaining(error), failure: { code } });
  if (exitCode === undefined) expect(lastSeen(played.seen)).toContain(`has failed: ${error}`);
  else expect(exitCode).toBe(1);
}

function expectCompaction({ seen }: Played): void {
  expect(seen.seenByModel.map(({ purpose }) => purpose)).toContain("compaction");
}

for (const client of ["claude", "codex"] as const) {
  for (const mode of MODES) {
    describe.skipIf(ENGINES[client].client.missing !== undefined)(`an example, ${mode} with ${client}`, () => {
      function play(example: string, moves: readonly Move[], judge: (played: Played) => void) {
        const variable = VARIABLES[example];
        const variables = variable === undefined ? [] : ["--var", variable];
        const files = example === "reviewer" ? { "src/rates.js": "export {};\n" } : SOURCES;
        return playExample({ client, mode, example, files, moves, variables }, judge);
      }

      const good = [SURVEY, EXAMINE, WRITE, REPORT, verdict(true, "It names the finding.")];
      const handedOver = ["The change is for this: It caches rates.", `["${FINDING}"]`, 'verdict "mend" follow'];

      test(
        "the reviewer hands its results over to a report that passes",
        () =>
          play("reviewer", good, (played) => {
            expect(played.result).toMatchObject({
              success: true,
              completionReason: "step 'report' ends the run: It names the finding.",
              iterations: 3,
              outputs: { survey: { purpose: "It caches rates." }, report: { verdict: "mend" } },
            });
            expectSeen(played, [...handedOver, FORM]);
            expect(played.tree.read("review.md")).toBe("The cache never expires.\n");
          }),
        TEST_TIMEOUT_MS,
      );

      test(
        "the reviewer fails, and is seen to, when its report does not pass twice",
        () => {
          const no = verdict(false, "It names no file.");
          return play("reviewer", [SURVEY, EXAMINE, REPORT, no, REPORT, no, { text: "I report it." }], (played) =>
            expectFailure(played, "step 'report' did not pass in 2 tries: It names no file.", "NotPassed"),
          );
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "the reviewer goes on through a compaction",
        () => {
          const long: Move = { runs: "cat src/rates.js", compacts: true };
          return play("reviewer", [SURVEY, long, ...good.slice(1)], (played) => {
            expectCompaction(played);
            expect(played.result).toMatchObject({ success: true, iterations: 3 });
            expectSeen(played, handedOver);
            if (mode === "guided")
              expectSeen(played, ["You work on step 'examine' of agent 'reviewer'. Its prompt again:"]);
          });
        },
        TEST_TIMEOUT_MS,
      );

      const loop = [plan("b"), drop("b"), said("b"), plan("c"), drop("c"), said("c")];
      const measured = "the command ended with 1: out/app.js has 3000 bytes; the limit is 2000";

      test(
        "the build loop measures, and goes on until the build is small enough",
        () =>
          play("build-loop", loop, (played) => {
            expect(played.result).toMatchObject({ success: true, iterations: 4 });
            expect(played.result.summaries.map(({ step, passed }) => [step, passed])).toEqual([
              ["plan", true],
              ["apply", false],
              ["plan", true],
              ["apply", true],
            ]);
            expect(played.result.summaries[1]?.reason).toBe(measured);
            expectSeen(played, [
              `Step 'apply' did not pass: ${measured}`,
              "Make this change, and no other: Drop c.js.",
            ]);
            expect(played.tree.read("out/app.js")).toBe(MODULE);
          }),
        TEST_TIMEOUT_MS,
      );

      test(
        "the build loop fails, and is seen to, when the model goes round in circles",
        () => {
          const idle = [plan("b"), said("b")];
          return play("build-loop", [...idle, ...idle, plan("b"), { text: "I report it." }], (played) => {
            expectFailure(played, "step 'plan' got the same answer 3 times in a row", "SameAnswer");
            expect(played.result.iterations).toBe(5);
          });
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "the build loop goes on through a compaction",
        () => {
          const [first, , ...rest] = loop as [Move, Move, ...Move[]];
          const long: Move = { runs: "rm src/b.js", compacts: true };
          return play("build-loop", [first, long, ...rest], (played) => {
            expectCompaction(played);
            expect(played.result).toMatchObject({ success: true, iterations: 4 });
            expectSeen(played, [`Step 'apply' did not pass: ${measured}`]);
          });
        },
        TEST_TIMEOUT_MS,
      );

      test(
        "what 'agent new' writes plans a task, does it and has it checked",
        () => {
          const moves: readonly Move[] = [
            { data: { plan: ["Drop b.js."], done: "There is no b.js." } },
            drop("b"),
            { data: { summary: "I dropped it." } },
            verdict(true, "It is gone."),
          ];
          return play("new", moves, (played) => {
            expect(played.result).toMatchObject({
              success: true,
              iterations: 2,
              outputs: { work: { summary: "I dropped it." } },
            });
            expectSeen(played, ["The task: Tidy.", 'Follow this plan: ["Drop b.js."]', "This was done: I dropped it."]);
          });
        },
        TEST_TIMEOUT_MS,
      );
    });
  }
}
