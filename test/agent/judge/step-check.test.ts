import { expect, test } from "bun:test";
import { judgeCommand, judgeReview, receiveAnswer } from "../../../src/agent/judge/answer.ts";
import type { Step } from "../../../src/agent/schema.ts";

const STEP: Step = { prompt: { path: "a.md" }, output: { height: { type: "number" } } };

test("receiveAnswer() of a step that gives nothing takes every answer that isn't blank", () => {
  const step: Step = { prompt: { path: "a.md" } };
  expect(receiveAnswer("a", step, { text: "yes" })).toEqual({ kind: "output", data: undefined });
  expect(receiveAnswer("a", step, { text: " \n" })).toEqual({
    kind: "unusable",
    result: { pass: false, reason: "the answer is blank", errors: [{ message: "the answer is blank" }] },
  });
});

test("receiveAnswer() takes what the engine made to fit before what stands in the text", () => {
  const answer = { text: '{"height": 1}', structured: { height: 2 } };
  expect(receiveAnswer("a", STEP, answer)).toEqual({ kind: "output", data: { height: 2 } });
  expect(receiveAnswer("a", STEP, { text: '{"height": 1}' })).toEqual({ kind: "output", data: { height: 1 } });
});

test("receiveAnswer() of a strict step takes no further field; of another it leaves it out", () => {
  const answer = { text: '{"height": 1, "more": 2}' };
  expect(receiveAnswer("a", STEP, answer)).toEqual({ kind: "output", data: { height: 1 } });
  expect(receiveAnswer("a", { ...STEP, strict: true }, answer)).toEqual({
    kind: "unusable",
    result: {
      pass: false,
      reason: "'more' is not one of the fields",
      errors: [{ field: "more", message: "'more' is not one of the fields" }],
    },
  });
});

test("receiveAnswer() says what is wrong with the output", () => {
  const reasonOf = (text: string) => {
    const reception = receiveAnswer("a", STEP, { text });
    return reception.kind === "unusable" ? reception.result.reason : "";
  };
  expect(reasonOf("no data")).toContain("no JSON object");
  expect(reasonOf('{"height": "1"}')).toBe("'height' must be of type number, not string");
});

test("receiveAnswer() names some of many faults, each shortly, and counts the rest", () => {
  const reasonOf = (fields: object) => {
    const reception = receiveAnswer("a", { ...STEP, strict: true }, { text: JSON.stringify(fields) });
    return reception.kind === "unusable" ? reception.result.reason : "";
  };
  const many = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`more-${index}`, 1]));
  const reason = reasonOf({ height: 1, ...many });
  expect(reason).toStartWith("'more-0' is not one of the fields; 'more-1' is not");
  expect(reason).toEndWith("'more-9' is not one of the fields; and 79990 more");
  expect(reasonOf({ height: 1, ["x".repeat(1_000_000)]: 1 })).toBe(`'${"x".repeat(64)}…' is not one of the fields`);
});

const VERDICTS: [text: string, pass: boolean, reason: string][] = [
  ['{"pass": true, "reason": "Fine."}', true, "Fine."],
  ['So:\n```json\n{"pass": false, "reason": "Too low."}\n```', false, "Too low."],
  ["pass: true\nreason: good enough", true, "good enough"],
  ['{"pass": true, "reason": " "}', true, "the check says so"],
  ['{"pass": "true", "reason": "x"}', false, "the check gave no readable verdict"],
  ['{"pass": true}', false, "the check gave no readable verdict"],
  ["I think it passes.", false, "the check gave no readable verdict"],
  ["", false, "the check gave no readable verdict"],
];
for (const [text, pass, reason] of VERDICTS) {
  test(`judgeReview() of ${JSON.stringify(text)}: ${pass}`, () => {
    expect(judgeReview({ text })).toEqual({ pass, reason });
  });
}

test("judgeCommand() passes on exit 0 only, and keeps what was said", () => {
  expect(judgeCommand(0, "whatever")).toEqual({ pass: true, reason: "the command succeeded" });
  expect(judgeCommand(3, " 2 tests fail\n")).toEqual({ pass: false, reason: "the command ended with 3: 2 tests fail" });
  expect(judgeCommand(1, "")).toEqual({ pass: false, reason: "the command ended with 1" });
  expect(judgeCommand(undefined, "")).toEqual({ pass: false, reason: "the command did not end by itself" });
});
