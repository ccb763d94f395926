import { expect } from "bun:test";
import fc from "fast-check";
import { canComplete, createCompletion } from "../../src/agent/judge/completion.ts";
import type { Completion } from "../../src/agent/schema.ts";
import { testProperty } from "./fuzz.ts";

const leaf: fc.Arbitrary<Completion> = fc.oneof(
  fc.record({ type: fc.constant("iterationBudget" as const), max: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ type: fc.constant("keywordSignal" as const), keyword: fc.constantFrom("DONE", "TASK_COMPLETE", "a b") }),
);
const { condition } = fc.letrec<{ condition: Completion }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constant("composite" as const),
      mode: fc.constantFrom("any" as const, "all" as const),
      conditions: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));
const message = fc
  .array(fc.constantFrom("DONE", " TASK_COMPLETE ", "a b", "It is not DONE.", "", "a  b"), { maxLength: 4 })
  .map((lines) => lines.join("\n"));

function holds(given: Completion, iteration: number, text: string): boolean {
  switch (given.type) {
    case "iterationBudget":
      return iteration >= given.max;
    case "keywordSignal":
      return text.split("\n").some((line) => line.trim() === given.keyword);
    case "composite": {
      const { conditions, mode } = given;
      const isTrue = (part: Completion) => holds(part, iteration, text);
      return mode === "any" ? conditions.some(isTrue) : conditions.every(isTrue);
    }
  }
}

testProperty(
  "a completion is what its parts say, and complete means that there is a reason",
  fc.property(condition, fc.integer({ min: 1, max: 8 }), message, (given, iteration, text) => {
    const judge = createCompletion(given);
    const result = judge.check({ iteration, message: text, carry: {} });
    expect(result.complete).toBe(holds(given, iteration, text));
    expect(result.complete).toBe((result.reason ?? "") !== "");
    expect([judge.isComplete(), judge.getReason()]).toEqual([result.complete, result.reason ?? ""]);
  }),
);

const EVERY_KEYWORD = "DONE\nTASK_COMPLETE\na b";

testProperty(
  "what can't complete does not, whatever is said",
  fc.property(condition, fc.integer({ min: 1, max: 8 }), (given, limit) => {
    const comesTrue = Array.from({ length: limit }, (_, index) => holds(given, index + 1, EVERY_KEYWORD)).includes(
      true,
    );
    expect(canComplete(given, limit)).toBe(comesTrue);
  }),
);
