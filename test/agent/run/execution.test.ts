import { expect, test } from "bun:test";
import { ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../../../src/agent/errors.ts";
import { createExecution } from "../../../src/agent/run/execution.ts";
import type { AgentResult } from "../../../src/agent/run-schema.ts";
import { executionScene, stepOf, type Reply, type Scene } from "./fake-dependencies.ts";

const START = { cwd: "/work", variables: {} };
const ONE = { name: "test", entryStep: "one", limits: { maxRetries: 2 }, steps: { one: stepOf("one") } };

async function play(scene: Scene): Promise<AgentResult> {
  const execution = createExecution(scene.validated, scene.dependencies);
  await execution.start(START);
  const result = await execution.run();
  expect(execution.state).toBe("stopped");
  expect(scene.ended).toBe(true);
  expectWhole(result);
  return result;
}

function expectWhole(result: AgentResult) {
  expect(result.iterations).toBe(result.summaries.length);
  expect(result.success ? result.completionReason : (result.error ?? "")).not.toBe("");
}

test("start() goes from Created to Started, once", async () => {
  const scene = executionScene(ONE, { a: ["yes"] });
  const execution = createExecution(scene.validated, scene.dependencies);
  expect(execution.state).toBe("created");
  await execution.start(START);
  expect(execution.state).toBe("started");
  const error = await execution.start(START).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ExecutionError);
  expect(error).toMatchObject({ recoverable: false, details: { kind: "AlreadyStarted" } });
  await execution.run();
  expect(await execution.start(START).catch(({ details }) => details.kind)).toBe("AlreadyStarted");
});

test("start() that fails leaves it Created: nothing was begun", async () => {
  const scene = executionScene(ONE, { a: [] });
  const keeper = {
    ...scene.dependencies.keeper,
    begin: () => {
      throw new ExecutionError("held");
    },
  };
  const execution = createExecution(scene.validated, { ...scene.dependencies, keeper });
  await expect(execution.start(START)).rejects.toThrow("held");
  expect(execution.state).toBe("created");
});

test("run() before start() is a failed result, and asks nobody", async () => {
  const scene = executionScene(ONE, { a: ["yes"] });
  const result = await createExecution(scene.validated, scene.dependencies).run();
  expect(result).toEqual({
    success: false,
    completionReason: "",
    error: "the run was not started",
    failure: { class: "ExecutionError", code: "NotStarted", recoverable: false },
    iterations: 0,
    summaries: [],
  });
  expect(scene.asked).toEqual([]);
});

test("run() gives the same result again, and records it", async () => {
  const scene = executionScene(ONE, { a: ["yes"] });
  const execution = createExecution(scene.validated, scene.dependencies);
  await execution.start(START);
  const [first, second] = await Promise.all([execution.run(), execution.run()]);
  expect(second).toBe(first);
  expect(scene.asked).toHaveLength(1);
  expect(scene.saved.at(-1)).toMatchObject({ status: "stopped", result: first });
});

test("stop() twice, before, while and after it runs, gives the one result", async () => {
  const waiting: Reply = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new ExecutionError("aborted")));
    });
  const scene = executionScene(ONE, { a: [waiting] });
  const execution = createExecution(scene.validated, scene.dependencies);
  await execution.start(START);
  const running = execution.run();
  while (scene.asked.length === 0) await Promise.resolve();
  const [first, second] = await Promise.all([execution.stop("the test says so"), execution.stop("later")]);
  expect(await running).toBe(first);
  expect([second, await execution.stop()]).toEqual([first, first]);
  expect(first).toMatchObject({ success: false, error: "the test says so", iterations: 1 });
  expect(execution.state).toBe("stopped");
});

test("stop() of a run that was started and not yet run is a result", async () => {
  const scene = executionScene(ONE, { a: ["yes"] });
  const execution = createExecution(scene.validated, scene.dependencies);
  await execution.start(START);
  expect(await execution.stop()).toMatchObject({ success: false, error: "the run was stopped", iterations: 0 });
  expect([scene.asked, scene.ended, execution.state]).toEqual([[], true, "stopped"]);
});

const THROWING: [what: string, others: Partial<Scene["dependencies"]>][] = [
  ["a prompt", { prompts: { resolve: () => Promise.reject(new Error("no such prompt")) } }],
  [
    "the clock",
    {
      ticks: () => {
        throw new Error("no time");
      },
    },
  ],
  [
    "a listener",
    {
      listen: () => {
        throw new Error("deaf");
      },
    },
  ],
];
for (const [what, others] of THROWING) {
  test(`run() is a failed result also when ${what} throws`, async () => {
    const scene = executionScene(ONE, { a: ["yes"] });
    const execution = createExecution(scene.validated, { ...scene.dependencies, ...others });
    await execution.start(START).catch(() => {});
    const result = await execution.run();
    expectWhole(result);
    expect(result.success).toBe(false);
  });
}

test("run() is a failed result when a record can't be kept, with the iterations there were", async () => {
  const scene = executionScene(ONE, { a: ["yes"] });
  const keeper = {
    ...scene.dependencies.keeper,
    save: () => {
      throw new Error("the disk is gone");
    },
  };
  const execution = createExecution(scene.validated, { ...scene.dependencies, keeper });
  await execution.start(START);
  const result = await execution.run();
  expectWhole(result);
  expect(result.error).toBe("the disk is gone");
});

test("an engine that throws what nobody expects is a failed result of one iteration", async () => {
  const result = await play(executionScene(ONE, { a: [new TypeError("x is not a function")] }));
  expect(result).toMatchObject({ success: false, iterations: 1, error: "x is not a function" });
});

test("the session goes on from query to query, with the first engine's own words", async () => {
  const definition = {
    ...ONE,
    completion: { type: "iterationBudget", max: 3 },
    steps: { one: { prompt: { path: "one.md" } } },
  };
  const scene = executionScene(definition, {
    a: [{ text: "1", sessionId: "s1" }, { text: "2", sessionId: "s2" }, "3"],
  });
  const result = await play(scene);
  expect(result).toMatchObject({ success: true, iterations: 3 });
  expect(scene.asked.map(({ options }) => [options.sessionId, options.args, options.cwd])).toEqual([
    [undefined, ["--first"], "/work"],
    ["s1", ["--first"], "/work"],
    ["s2", ["--first"], "/work"],
  ]);
});

test("an expired session is begun anew with what the run carries", async () => {
  const definition = {
    ...ONE,
    completion: { type: "iterationBudget", max: 2 },
    steps: { one: { prompt: { path: "one.md" }, output: { n: { type: "number" } } } },
  };
  const scene = executionScene(definition, {
    a: [{ text: '{"n": 1}', sessionId: "s1" }, new SessionExpired("gone"), { text: '{"n": 2}', sessionId: "s2" }],
  });
  const result = await play(scene);
  expect([result.success, result.summaries.map(({ queries }) => queries)]).toEqual([true, [1, 2]]);
  const [, expired, anew] = scene.asked;
  expect([expired?.options.sessionId, anew?.options.sessionId]).toEqual(["s1", undefined]);
  expect(anew?.prompt).toContain('"n": 1');
  expect(anew?.prompt).toEndWith(expired?.prompt ?? "");
  expect(scene.waits).toEqual([]);
});

test("a rate limit is waited out for as long as it says", async () => {
  const scene = executionScene(ONE, {
    a: [new RateLimitError("slow down", 5000), new RateLimitError("slow down"), "yes"],
  });
  const result = await play(scene);
  expect(result).toMatchObject({ success: true, iterations: 1, summaries: [{ queries: 3 }] });
  expect(scene.waits).toEqual([5000, 1000]);
});

test("retry up to N, then the next engine, which is asked from then on", async () => {
  const down = () => new ConnectionError("unreachable", "no way");
  const definition = {
    ...ONE,
    completion: { type: "iterationBudget", max: 2 },
    steps: { one: { prompt: { path: "one.md" } } },
  };
  const scene = executionScene(definition, {
    a: [down(), down(), down()],
    b: [
      { text: "1", costUsd: 0.25, turns: 2 },
      { text: "2", costUsd: 0.5 },
    ],
  });
  const result = await play(scene);
  expect(scene.asked.map(({ engine, options }) => [engine, options.args])).toEqual([
    ...Array.from({ length: 3 }, () => ["a", ["--first"]]),
    ["b", []],
    ["b", []],
  ]);
  expect(result.summaries).toMatchObject([
    { engine: "b", queries: 4, costUsd: 0.25, turns: 2 },
    { engine: "b", queries: 1, costUsd: 0.5 },
  ]);
  expect(scene.events).toContainEqual({ event: "fallback", from: "a", to: "b" });
});

test("what would not change is not tried again", async () => {
  const scene = executionScene(ONE, { a: [new ConnectionError("refused", "wrong key")], b: ["yes"] });
  await play(scene);
  expect([scene.asked.length, scene.waits]).toEqual([2, []]);
});

test("an error that is not recoverable stops at once, and asks no other engine", async () => {
  const definition = { ...ONE, steps: { one: stepOf("one", { optional: true }) } };
  const scene = executionScene(definition, { a: [new ExecutionError("blank")], b: ["yes"] });
  expect(await play(scene)).toMatchObject({ success: false, error: "blank", iterations: 1 });
  expect(scene.asked).toHaveLength(1);
});

test("a check by prompt is a second turn of the same session, and counts to the same iteration", async () => {
  const check = { type: "prompt", prompt: { path: "review.md" }, onPass: "complete", onFail: { retry: 1 } };
  const definition = {
    ...ONE,
    steps: { one: { prompt: { path: "one.md" }, output: { n: { type: "number" } }, check } },
  };
  const scene = executionScene(definition, {
    a: [
      { text: "", structured: { n: 1 }, sessionId: "s1" },
      { text: "it looks fine", sessionId: "s1" },
      { text: '{"n": 2}', sessionId: "s1" },
      { text: "", structured: { pass: true, reason: "good" }, sessionId: "s1" },
    ],
  });
  const result = await play(scene);
  expect(result.summaries).toMatchObject([
    { passed: false, reason: "the check gave no readable verdict", queries: 2 },
    { passed: true, reason: "good", queries: 2 },
  ]);
  expect(scene.asked.map(({ options }) => options.sessionId)).toEqual([undefined, "s1", "s1", "s1"]);
  expect(scene.asked[1]?.prompt).toStartWith('review.md {"uv-one_n":"1"}');
  expect(scene.asked[1]?.options.schema).toMatchObject({ required: ["pass", "reason"] });
  expect(scene.saved.at(-1)?.outputs).toEqual({ one: { n: 2 } });
});

test("a check by prompt tells an engine without sessions what it is about", async () => {
  const check = { type: "prompt", prompt: { path: "review.md" }, onPass: "complete" };
  const scene = executionScene(
    { ...ONE, steps: { one: { prompt: { path: "one.md" }, check } } },
    { a: ["The work.", "pass: true\nreason: ok"] },
  );
  expect((await play(scene)).success).toBe(true);
  expect(scene.asked[1]?.prompt).toContain("The work.");
});

test("the record is written after each iteration: what was given, where the run stands, the last answer", async () => {
  const steps = {
    one: { prompt: { path: "one.md" }, output: { n: { type: "number" } }, check: { type: "output", onPass: "two" } },
    two: stepOf("two"),
  };
  const scene = executionScene({ ...ONE, steps }, { a: ["no", '{"n": 1}', "x".repeat(40_000)] });
  await play(scene);
  expect(
    scene.saved.map(({ step, failures, summaries, outputs }) => [step, failures, summaries.length, outputs]),
  ).toEqual([
    ["one", 1, 1, {}],
    ["two", 0, 2, { one: { n: 1 } }],
    ["two", 0, 3, { one: { n: 1 } }],
    ["two", 0, 3, { one: { n: 1 } }],
  ]);
  expect(scene.saved[0]?.complaint).toContain("no JSON object");
  expect(scene.saved[1]?.complaint).toBeUndefined();
  expect(scene.saved[2]?.previousResponse).toStartWith("[the first 7232 characters are left out]\nxxx");
});

test("an iteration that was skipped counts for the budget too", async () => {
  const definition = {
    ...ONE,
    completion: { type: "iterationBudget", max: 1 },
    steps: {
      one: stepOf("one", { optional: true, check: { type: "output", onPass: "two" } }),
      two: stepOf("two"),
    },
  };
  const scene = executionScene(definition, { a: [new ConnectionError("refused", "No.")] });
  const execution = createExecution(scene.validated, scene.dependencies);
  await execution.start({ cwd: "/work", variables: {} });
  expect(await execution.run()).toMatchObject({
    success: true,
    completionReason: "the budget of 1 iteration is used up; step 'one' was skipped: No.",
    iterations: 1,
    summaries: [{ skipped: true, passed: false }],
  });
});

test("a signal in a text of an answer that may only be data is heard", async () => {
  const definition = {
    ...ONE,
    completion: { type: "keywordSignal", keyword: "THE_END" },
    steps: { one: stepOf("one", { output: { note: { type: "string" } }, check: { type: "output", onPass: "one" } }) },
  };
  const replyOf = (note: string) => ({ text: JSON.stringify({ note }), structured: { note } });
  const scene = executionScene(definition, { a: ["I will say THE_END.", "It is done.\nTHE_END"].map(replyOf) });
  expect(await play(scene)).toMatchObject({
    success: true,
    iterations: 2,
    completionReason: "the answer says 'THE_END'",
  });
});
