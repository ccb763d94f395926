import { expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "../support/run-codelia.ts";
import { exampleScene, resultOf } from "./agent-scene.ts";

const HEIGHT = '```json\n{ "height": 9 }\n```';
const PLAN = '{ "plan": "Nine metres of stone." }';

for (const name of ["reviewer", "build-loop", "measured-build", "keyword-loop"]) {
  test(`the example ${name} is valid`, () => {
    const result = runCodelia(["agent", "validate", join("docs/examples", name)], {
      cwd: REPOSITORY,
      home: REPOSITORY,
    });
    expect(result).toMatchObject({ stderr: "", exitCode: 0 });
  });
}

test("the measured build hands its measure over, has the plan reviewed, and does again what does not pass", () => {
  using scene = exampleScene("measured-build", [
    ["how high the house shall be", "About nine metres, I would say."],
    ["how high the house shall be", HEIGHT],
    ["Plan a house", '{ "plan": "A tower." }'],
    ["Does the plan", '{ "pass": false, "reason": "It says no height." }'],
    ["Plan a house", PLAN],
    ["Does the plan", '{ "pass": true, "reason": "It fits." }'],
  ]);
  const run = scene.run(["agent", "run", "agent", "--var", "who=Ada", "--json"]);
  expect([run.stderr, run.exitCode]).toEqual(["", 0]);
  const result = resultOf(run);
  expect(result).toMatchObject({
    success: true,
    iterations: 4,
    completionReason: "step 'build' ends the run: It fits.",
  });
  expect(result.summaries.map(({ step, passed, queries }) => [step, passed, queries])).toEqual([
    ["measure", false, 1],
    ["measure", true, 1],
    ["build", false, 2],
    ["build", true, 2],
  ]);
  const [first, again, build, review, rebuild] = scene.prompts();
  expect(first).toContain("the wishes of Ada in");
  expect(first).toContain("- height (number): how high the house shall be\n- unit (string, may be left out)");
  expect(again).toContain("Your task now:\nYour last answer did not pass: no JSON object");
  expect(build).toContain("Your task now:\nPlan a house of 9 m in one sentence.");
  expect(review).toContain("The plan: A tower.");
  expect(rebuild).toContain("Your task now:\nYour last answer did not pass: It says no height.");
});

test("the measured build goes back to the measure when the plan does not pass twice", () => {
  const fails = ["Does the plan", '{ "pass": false, "reason": "No." }'] as const;
  using scene = exampleScene("measured-build", [
    ["how high", HEIGHT],
    ["Plan a house", PLAN],
    fails,
    ["Plan a house", PLAN],
    fails,
    ["how high", '{ "height": 3, "unit": "ft" }'],
    ["of 3 ft in one", PLAN],
    ["Does the plan", "pass: true\nreason: fine"],
  ]);
  const result = resultOf(scene.run(["agent", "run", "agent", "--var", "who=Ada", "--json"]));
  expect([result.success, result.summaries.map(({ step }) => step)]).toEqual([
    true,
    ["measure", "build", "build", "measure", "build"],
  ]);
});

test("the keyword loop ends when the model says so on a line of its own", () => {
  using scene = exampleScene("keyword-loop", [
    ["next open point", "I will write TASK_COMPLETE when I am done."],
    ["next open point", "All done.\n\nTASK_COMPLETE\n"],
  ]);
  const { stdout, stderr, exitCode } = scene.run(["agent", "run", "agent"]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  expect(stdout).toMatch(/^1 work: passed .*\n2 work: passed .*\ncomplete: the answer says 'TASK_COMPLETE'\n$/);
});

test("the keyword loop ends after exactly five iterations", () => {
  using scene = exampleScene(
    "keyword-loop",
    Array.from({ length: 9 }, () => ["next open point", "One more."] as const),
  );
  const result = resultOf(scene.run(["agent", "run", "agent", "--json"]));
  expect(result).toMatchObject({
    success: true,
    iterations: 5,
    completionReason: "the budget of 5 iterations is used up",
  });
  expect(scene.prompts()).toHaveLength(5);
});
