import { expect, test } from "bun:test";
import { createStepFlow, type Position } from "../../../src/agent/judge/step.ts";
import type { AgentDefinition, Step } from "../../../src/agent/schema.ts";

const PASS = { pass: true, reason: "fine" };
const FAIL = { pass: false, reason: "too low" };
const prompt = { path: "a.md" };

function flow(steps: Record<string, Step>, from?: Position, limits?: AgentDefinition["limits"]) {
  return createStepFlow({ name: "a", entryStep: "one", steps, ...(limits && { limits }) }, from);
}

test("transition() begins at the entry, and follows onPass to the end", () => {
  const followed = flow({
    one: { prompt, check: { type: "output", onPass: "two" } },
    two: { prompt, check: { type: "output", onPass: "complete" } },
  });
  expect(followed.position).toEqual({ step: "one", failures: 0 });
  expect(followed.transition(PASS)).toEqual({ kind: "step", step: "two", isRetry: false });
  expect(followed.position).toEqual({ step: "two", failures: 0 });
  expect(followed.transition(PASS)).toEqual({ kind: "complete", reason: "step 'two' ends the run: fine" });
});

test("transition() repeats a failed step as often as it may, then goes where it is told", () => {
  const followed = flow({
    one: { prompt, check: { type: "output", onPass: "complete", onFail: { retry: 2, then: "two" } } },
    two: { prompt },
  });
  expect(followed.transition(FAIL)).toEqual({ kind: "step", step: "one", isRetry: true });
  expect(followed.transition(FAIL)).toEqual({ kind: "step", step: "one", isRetry: true });
  expect(followed.position.failures).toBe(2);
  expect(followed.transition(FAIL)).toEqual({ kind: "step", step: "two", isRetry: false });
  expect(followed.position).toEqual({ step: "two", failures: 0 });
});

test("transition() is used up where nothing says where to go: a failure, never a success", () => {
  const followed = flow({ one: { prompt, check: { type: "output", onPass: "complete", onFail: { retry: 1 } } } });
  followed.transition(FAIL);
  expect(followed.transition(FAIL)).toEqual({ kind: "used-up", error: "step 'one' did not pass in 2 tries: too low" });
});

test("without onFail a step is repeated limits.maxRetries times", () => {
  const tries = (limits?: AgentDefinition["limits"]) => {
    const followed = flow({ one: { prompt, check: { type: "output", onPass: "complete" } } }, undefined, limits);
    let count = 1;
    while (followed.transition(FAIL).kind === "step") count++;
    return count;
  };
  expect([tries(), tries({ maxRetries: 0 }), tries({ maxRetries: 5 })]).toEqual([4, 1, 6]);
});

test("a step without a check is repeated for as long as it gives what it must", () => {
  const followed = flow({ one: { prompt } }, { step: "one", failures: 2 });
  expect(followed.transition(PASS)).toEqual({ kind: "step", step: "one", isRetry: false });
  expect(followed.position.failures).toBe(0);
});

test("an optional step is left out when its tries are used up, or when it is skipped", () => {
  const steps: Record<string, Step> = {
    one: { prompt, optional: true, check: { type: "output", onPass: "two", onFail: { retry: 0 } } },
    two: { prompt },
  };
  expect(flow(steps).transition(FAIL)).toEqual({ kind: "step", step: "two", isRetry: false });
  expect(flow(steps).skip()).toEqual({ kind: "step", step: "two", isRetry: false });
});

test("a run goes on where it stood", () => {
  const followed = flow(
    { one: { prompt }, two: { prompt, check: { type: "output", onPass: "complete", onFail: { retry: 2 } } } },
    { step: "two", failures: 2 },
  );
  expect(followed.transition(FAIL).kind).toBe("used-up");
});
