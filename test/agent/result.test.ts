import { expect, test } from "bun:test";
import { agentScene, resultOf, type ModelScript } from "./agent-scene.ts";
import type { Definition } from "./definitions.ts";

// What a result says of what was asked, checked and not checked.

const SIZE = { size: { type: "number" } };

/** One step that is repeated until the completion ends the run. */
function loop(step: object, completion: object, limits: object = {}): Definition {
  return {
    name: "loop",
    entryStep: "work",
    completion,
    limits,
    steps: { work: { prompt: { path: "w.md" }, ...step } },
  };
}

function play(definition: Definition, script: ModelScript) {
  const scene = agentScene(definition, { "w.md": "Work on.\n", "r.md": "Is it good?\n" }, script);
  const { stdout, exitCode } = scene.run(["agent", "run", "agent", "--json"]);
  return {
    scene,
    result: resultOf({ stdout, stderr: "", exitCode }),
    exitCode,
    [Symbol.dispose]: () => scene[Symbol.dispose](),
  };
}

const KEYWORD = { type: "keywordSignal", keyword: "TASK_COMPLETE" };
const budget = (max: number) => ({ type: "iterationBudget", max });

test("a prompt says how to signal the end, and the signal is heard with emphasis and a full stop", () => {
  for (const said of ["**TASK_COMPLETE**", "TASK_COMPLETE.", "All is done. TASK_COMPLETE"]) {
    using played = play(loop({}, KEYWORD), [["Work on.", said]]);
    const { scene, result } = played;
    expect(scene.prompts()[0]).toContain("alone on a line, exactly as it stands here: TASK_COMPLETE");
    expect(result).toMatchObject({ success: true, completionReason: "the answer says 'TASK_COMPLETE'" });
  }
});

test("a step that takes no further field says so", () => {
  using played = play(loop({ output: SIZE, strict: true }, budget(1)), [["Work on.", '{"size": 1, "more": 2}']]);
  const { scene, result } = played;
  expect(scene.prompts()[0]).toContain("Its fields, and no others:\n- size (number)");
  expect(result.summaries).toMatchObject([{ errors: [{ field: "more", message: "'more' is not one of the fields" }] }]);
});

test("a completion by budget ends the run, but passes no step whose output is missing, wrong or blank", () => {
  const answers: [answer: string, errors: object[]][] = [
    ["", [{ message: "the answer is blank" }]],
    ["I have no idea.", [{ message: expect.stringContaining("no JSON object") }]],
    ['{"size": "7"}', [{ field: "size", message: "'size' must be of type number, not string" }]],
    ['{"other": 7}', [{ field: "size", message: "'size' is missing" }]],
  ];
  for (const [answer, errors] of answers) {
    using played = play(loop({ output: SIZE }, budget(1)), [["Work on.", answer]]);
    const { scene, result } = played;
    expect(result.success).toBe(true);
    expect(result.completionReason).toStartWith("the budget of 1 iteration is used up; step 'work' did not pass: ");
    expect(result.summaries).toMatchObject([{ step: "work", passed: false, errors }]);
    expect(scene.run(["agent", "status"]).stdout).toContain("step 'work' did not pass");
  }
});

for (const check of [
  { type: "command", command: ["true"], onPass: "complete" },
  { type: "prompt", prompt: { path: "r.md" }, onPass: "complete" },
]) {
  test(`a completion that comes before a check by ${check.type} leaves its step unchecked`, () => {
    using played = play(loop({ check }, KEYWORD), [["Work on.", "Done.\nTASK_COMPLETE"]]);
    const { scene, result } = played;
    const reason = "its check was not run, because the answer says 'TASK_COMPLETE'";
    expect(result).toMatchObject({
      success: true,
      completionReason: "the answer says 'TASK_COMPLETE'; step 'work' was not checked",
      summaries: [{ passed: false, unchecked: true, reason }],
    });
    scene.says([["Work on.", "Done.\nTASK_COMPLETE"]]);
    expect(scene.run(["agent", "run", "agent"]).stdout).toMatch(/^1 work: unchecked \(.*\): its check was not run, /);
  });
}

test("wrong fields are in the result of an iteration that is done again too", () => {
  const check = { type: "output", onPass: "complete" };
  using played = play(loop({ output: SIZE, check }, budget(9)), [
    ["Work on.", '{"size": []}'],
    ["did not pass", '{"size": 1}'],
  ]);
  const { result } = played;
  const errors = [{ field: "size", message: "'size' must be of type number, not array" }];
  expect(result.summaries).toMatchObject([{ passed: false, errors }, { passed: true }]);
  expect(result.summaries[1]).not.toHaveProperty("errors");
});

test("an engine without sessions is told what there is so far: the last answer, the results, and what failed", () => {
  const definition = loop({ output: SIZE, check: { type: "output", onPass: "look" } }, budget(9), { maxRetries: 1 });
  definition.steps.look = {
    prompt: { path: "r.md" },
    check: {
      type: "command",
      command: ["/bin/sh", "-c", "echo too small; exit 1"],
      onPass: "complete",
      onFail: { retry: 1, then: "work" },
    },
  };
  using played = play(definition, [
    ["Work on.", "Hm."],
    ["Work on.", 'Here: {"size": 1}\n```json\n{"size": 7}\n```'],
    ["Is it good?", "I think so."],
    ["Is it good?", "Surely."],
    ["Work on.", 5],
    ["Work on.", 5],
  ]);
  const { scene } = played;
  const [first, retry, look, again, back, backAgain] = scene.prompts();
  expect(first).toStartWith("Work on.");
  expect(retry).toContain("The last answer:\nHm.");
  expect(retry).toContain("Your last answer did not pass: no JSON object");
  for (const said of ['"size": 7', "The last answer:\nHere:", "Is it good?"]) expect(look).toContain(said);
  for (const said of ['"size": 7', "I think so.", "did not pass: the command ended with 1: too small"]) {
    expect(again).toContain(said);
  }
  for (const said of ['"size": 7', "Surely.", "Step 'look' did not pass: the command ended with 1: too small"]) {
    expect(back).toContain(said);
  }
  expect(backAgain).toBe(back!);
});

test("the same answer again and again is a loop, and ends the run as one", () => {
  const more = ["Work on.", "I go on."] as const;
  const many = Array.from({ length: 9 }, () => more);
  using played = play(loop({}, KEYWORD), many);
  const { result, exitCode } = played;
  expect([exitCode, result.success, result.iterations]).toEqual([1, false, 5]);
  expect(result.error).toBe(
    "step 'work' got the same answer 5 times in a row: it makes no progress ('limits.maxSameAnswers')",
  );
  expect(result.failure).toEqual({ class: "JudgmentError", code: "SameAnswer", recoverable: true });
  using three = play(loop({}, KEYWORD, { maxSameAnswers: 3 }), many);
  expect(three.result.iterations).toBe(3);
  using none = play(loop({}, KEYWORD, { maxSameAnswers: 0, maxIterations: 7 }), many);
  expect(none.result.error).toContain("after 7 iterations, its limit");
  using completed = play(loop({}, budget(5)), many);
  expect(completed.result).toMatchObject({ success: true, iterations: 5 });
});

test("a loop over several steps is seen too, and another answer begins the count anew", () => {
  const definition = loop({ check: { type: "output", onPass: "look" } }, KEYWORD, { maxSameAnswers: 2 });
  definition.steps.look = { prompt: { path: "r.md" }, check: { type: "output", onPass: "work" } };
  using played = play(definition, [
    ["Work on.", "a"],
    ["Is it good?", "x"],
    ["Work on.", "b"],
    ["Is it good?", "y"],
    ["Work on.", "a"],
    ["Is it good?", "y"],
  ]);
  const { result } = played;
  expect([result.iterations, result.error]).toEqual([6, expect.stringContaining("step 'look' got the same answer 2")]);
});

test("a failure names its class and code, and whether another try may help", () => {
  const missing = loop(
    { output: { size: { type: "number", required: false } }, check: { type: "output", onPass: "next" } },
    budget(9),
  );
  missing.steps.next = {
    prompt: { path: "r.md" },
    inputs: { variables: { "work.size": true } },
    check: { type: "output", onPass: "complete" },
  };
  const check = { type: "output", onPass: "complete", onFail: { retry: 0 } };
  const rows: [definition: Definition, script: ModelScript, failure: object][] = [
    [missing, [["Work on.", "{}"]], { class: "ExecutionError", code: "MissingRequiredInput", recoverable: false }],
    [loop({ check }, budget(9)), [["Work on.", ""]], { class: "JudgmentError", code: "NotPassed", recoverable: true }],
    [loop({ check }, budget(9)), [["Work on.", 3]], { class: "ConnectionError", code: "Failed", recoverable: true }],
    [
      loop({}, KEYWORD, { maxIterations: 1 }),
      [["Work on.", "x"]],
      { class: "ExecutionError", code: "LimitReached", recoverable: false },
    ],
  ];
  for (const [definition, script, failure] of rows) {
    definition.limits.maxRetries = 0;
    using played = play(definition, script);
    const { result } = played;
    expect(result).toMatchObject({ success: false, failure });
  }
});

test("a prompt gets an empty text for an input that is skipped, and for a field that its own step has left out", () => {
  const fields = { size: { type: "number", required: false } };
  const definition = loop(
    { output: { ...fields, $namespace: "work" }, check: { type: "output", onPass: "next" } },
    budget(9),
  );
  definition.steps.next = {
    prompt: { path: "n.md" },
    inputs: { variables: { "work.size": { onMissing: "skip" } } },
    output: { note: { type: "string", required: false } },
    check: { type: "prompt", prompt: { path: "c.md" }, onPass: "complete" },
  };
  using scene = agentScene(
    definition,
    {
      "w.md": "Work on.\n",
      "n.md": "Size [{uv-work_size}].\n",
      "c.md": "Note [{uv-next_note}] of [{uv-work_size}].\n",
    },
    [
      ["Work on.", "{}"],
      ["Size [].", "{}"],
      ["Note [] of [].", "pass: true\nreason: fine"],
    ],
  );
  const validated = scene.run(["agent", "validate", "agent", "--json"]);
  const { valid, warnings, notes } = JSON.parse(validated.stdout);
  expect([valid, warnings, notes.length]).toEqual([true, [], 3]);
  expect(scene.run(["agent", "validate", "agent"]).stdout).toContain(": 0 errors, 0 warnings, 3 notes\n");
  const run = scene.run(["agent", "run", "agent", "--json"]);
  expect([run.stderr, resultOf(run).success]).toEqual(["", true]);
});
