import { expect } from "bun:test";
import fc from "fast-check";
import {
  ConnectionError,
  ExecutionError,
  JudgmentError,
  RateLimitError,
  SessionExpired,
} from "../../src/agent/errors.ts";
import { createExecution } from "../../src/agent/run/execution.ts";
import { AgentResultSchema } from "../../src/agent/run-schema.ts";
import { executionScene, type Reply } from "../agent/run/fake-dependencies.ts";
import { testProperty } from "./fuzz.ts";

const NAMES = ["one", "two", "three"];
const target = fc.constantFrom(...NAMES, "complete");

const FORMS = {
  output: { type: "output" },
  command: { type: "command", command: ["true"] },
  prompt: { type: "prompt", prompt: { path: "check.md" } },
};

const step = fc
  .record({
    form: fc.constantFrom("output" as const, "command" as const, "prompt" as const),
    onPass: target,
    retry: fc.nat({ max: 2 }),
    then: fc.option(target, { nil: undefined }),
    isOptional: fc.boolean(),
    hasOutput: fc.boolean(),
  })
  .map(({ form, onPass, retry, then, isOptional, hasOutput }) => {
    const onFail = then === undefined ? { retry } : { retry, then };
    const given = { prompt: { path: "step.md" }, check: Object.assign({ onPass, onFail }, FORMS[form]) };
    const whole = hasOutput ? Object.assign(given, { output: { n: { type: "number" } } }) : given;
    return { whole, isOptional };
  });

const definition = fc
  .record({
    steps: fc.tuple(step, step, step),
    max: fc.integer({ min: 1, max: 6 }),
    maxIterations: fc.integer({ min: 6, max: 8 }),
    isAll: fc.boolean(),
  })
  .map(({ steps, max, maxIterations, isAll }) => ({
    name: "test",
    entryStep: "one",
    limits: { maxIterations, maxRetries: 1 },
    completion: {
      type: "composite",
      mode: isAll ? "all" : "any",
      conditions: [
        { type: "keywordSignal", keyword: "DONE" },
        { type: "iterationBudget", max },
      ],
    },
    steps: Object.fromEntries(
      steps.map(({ isOptional, whole }, index) => {
        const name = NAMES[index] ?? "";
        const canBeLeftOut = isOptional && whole.check.onPass !== name;
        return [name, canBeLeftOut ? Object.assign(whole, { optional: true }) : whole];
      }),
    ),
  }));

const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom<Reply>(
    "",
    "some words",
    "DONE",
    '{"n": 1}',
    '{"pass": true, "reason": "r"}',
    '{"pass": false, "reason": ""}',
    { text: "DONE", structured: { n: 2 }, sessionId: "s", costUsd: 0.5, turns: 1 },
    { text: "", structured: { pass: true, reason: "" } },
  ),
  fc
    .constantFrom<(() => Error)[]>(
      () => new ConnectionError("unreachable", "down"),
      () => new ConnectionError("refused", "no"),
      () => new RateLimitError("slow", 10),
      () => new SessionExpired("gone"),
      () => new JudgmentError("no verdict"),
      () => new ExecutionError(""),
      () => new Error("unforeseen"),
      () => new Error(""),
    )
    .map((make) => make()),
);

/** What a run needs may fail at any point. */
const fault = fc.constantFrom("none", "none", "none", "prompts", "check", "save", "listen", "stop");

testProperty(
  "whatever happens in a run, its result is whole",
  fc.asyncProperty(
    definition,
    fc.array(reply, { maxLength: 12 }),
    fc.array(reply, { maxLength: 6 }),
    fault,
    fc.nat({ max: 8 }),
    async (given, first, second, what, at) => {
      let calls = 0;
      const fail = () => {
        if (calls++ === at) throw new Error("it has failed");
      };
      const scene = executionScene(given, { a: first, b: second });
      const { dependencies } = scene;
      const execution = createExecution(scene.validated, {
        ...dependencies,
        prompts: {
          resolve: async (...args) => {
            if (what === "prompts") fail();
            if (what === "stop" && calls++ === at) void execution.stop();
            return dependencies.prompts.resolve(...args);
          },
        },
        checkByCommand: async () => {
          if (what === "check") fail();
          return { pass: calls % 2 === 0, reason: "the command says so" };
        },
        keeper: {
          ...dependencies.keeper,
          save: (run) => {
            if (what === "save") fail();
            return dependencies.keeper.save(run);
          },
        },
        listen: () => {
          if (what === "listen") fail();
        },
      });
      await execution.start({ cwd: "/work", variables: {} }).catch(() => {});
      const result = await execution.run();
      expect(AgentResultSchema.safeParse(result).success).toBe(true);
      expect(result.iterations).toBe(result.summaries.length);
      expect(result.summaries.map(({ iteration }) => iteration)).toEqual(result.summaries.map((_, index) => index + 1));
      expect(result.iterations).toBeLessThanOrEqual(given.limits.maxIterations);
      if (result.success) expect(result.completionReason).not.toBe("");
      else expect([result.completionReason, (result.error ?? "").trim() === ""]).toEqual(["", false]);
      expect(await execution.stop()).toBe(result);
      expect(scene.ended).toBe(true);
      expect(execution.state).toBe("stopped");
    },
  ),
);
