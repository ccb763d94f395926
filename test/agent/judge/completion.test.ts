import { expect, test } from "bun:test";
import { canComplete, createCompletion } from "../../../src/agent/judge/completion.ts";
import { carryOver } from "../../../src/agent/engines/recovery.ts";
import type { Completion } from "../../../src/agent/schema.ts";

const KEYWORD: Completion = { type: "keywordSignal", keyword: "TASK_COMPLETE" };
const budget = (max: number): Completion => ({ type: "iterationBudget", max });
const composite = (mode: "any" | "all", ...conditions: Completion[]): Completion => ({
  type: "composite",
  mode,
  conditions,
});

function isComplete(condition: Completion | undefined, iteration: number, message = "") {
  return createCompletion(condition).check({ iteration, message, carry: carryOver(undefined, {}) }).complete;
}

test("iterationBudget is complete after exactly N iterations, not one later", () => {
  expect([1, 2, 3, 4].map((iteration) => isComplete(budget(3), iteration))).toEqual([false, false, true, true]);
});

const MESSAGES: [message: string, isSignal: boolean][] = [
  ["TASK_COMPLETE", true],
  ["All is done.\n  TASK_COMPLETE \nBye.", true],
  ["done\r\nTASK_COMPLETE\r\n", true],
  ["I will say TASK_COMPLETE when I am done.", false],
  ["TASK_COMPLETE.", true],
  ["`TASK_COMPLETE`", true],
  ["**TASK_COMPLETE**", true],
  ["**TASK_COMPLETE**!", true],
  ["_TASK_COMPLETE_。", true],
  ["All is done. TASK_COMPLETE", true],
  ["All is done! **TASK_COMPLETE.**", true],
  ["(All is done.) TASK_COMPLETE", true],
  ["できました。TASK_COMPLETE", true],
  ["The signal is, e.g. TASK_COMPLETE", false],
  ["config.TASK_COMPLETE", false],
  ["1. TASK_COMPLETE", false],
  ["- TASK_COMPLETE", false],
  ["> TASK_COMPLETE", false],
  ["TASK_COMPLETE?", false],
  ["TASK_COMPLETED", false],
  ["Not yet. I will say TASK_COMPLETE.", false],
  ["Not TASK_COMPLETE", false],
  ["TASK_COMPLETE: no", false],
  [`TASK_COMPLETE${".".repeat(100_000)}`, false],
  ["task_complete", false],
  ["", false],
];
for (const [message, isSignal] of MESSAGES) {
  test(`keywordSignal is ${isSignal ? "" : "not "}heard in ${JSON.stringify(message)}`, () => {
    expect(isComplete(KEYWORD, 1, message)).toBe(isSignal);
  });
}

const OTHERS: [keyword: string, message: string, isSignal: boolean][] = [
  ["完了。", "完了。", true],
  ["完了", "すべて終わりました。完了。", true],
  ["完了", "まだ完了", false],
  ["__DONE__", "__DONE__", true],
  ["__DONE__", "**__DONE__**", true],
  ["[end]", "It is over. [end]", true],
  ["a b", "a  b", false],
];
for (const [keyword, message, isSignal] of OTHERS) {
  test(`the keyword '${keyword}' is ${isSignal ? "" : "not "}heard in '${message}'`, () => {
    expect(isComplete({ type: "keywordSignal", keyword }, 1, message)).toBe(isSignal);
  });
}

test("composite 'any' stops at the first that is true", () => {
  const late = {
    type: "keywordSignal",
    get keyword(): string {
      throw new Error("asked");
    },
  } as Completion;
  expect(isComplete(composite("any", budget(1), late), 1)).toBe(true);
  expect(() => isComplete(composite("any", budget(2), late), 1)).toThrow("asked");
});

test("composite 'all' needs every one, and names each reason", () => {
  const all = composite("all", budget(2), KEYWORD);
  expect([isComplete(all, 2), isComplete(all, 1, "TASK_COMPLETE"), isComplete(all, 2, "TASK_COMPLETE")]).toEqual([
    false,
    false,
    true,
  ]);
  const judge = createCompletion(all);
  judge.check({ iteration: 2, message: "TASK_COMPLETE", carry: {} });
  expect(judge.getReason()).toBe("the budget of 2 iterations is used up, and the answer says 'TASK_COMPLETE'");
});

test("composites nest", () => {
  const nested = composite("all", composite("any", budget(9), KEYWORD), budget(1));
  expect([isComplete(nested, 1), isComplete(nested, 1, "TASK_COMPLETE")]).toEqual([false, true]);
});

test("isComplete() and getReason() say what the last check said", () => {
  const judge = createCompletion(KEYWORD);
  expect([judge.isComplete(), judge.getReason()]).toEqual([false, ""]);
  judge.check({ iteration: 1, message: "TASK_COMPLETE", carry: {} });
  expect([judge.isComplete(), judge.getReason()]).toEqual([true, "the answer says 'TASK_COMPLETE'"]);
  judge.check({ iteration: 2, message: "more", carry: {} });
  expect([judge.isComplete(), judge.getReason()]).toEqual([false, ""]);
});

test("without a condition nothing is complete by itself", () => {
  expect(isComplete(undefined, 1000, "TASK_COMPLETE")).toBe(false);
});

test("canComplete() knows a budget that lies beyond the limit", () => {
  expect([canComplete(budget(5), 5), canComplete(budget(6), 5), canComplete(KEYWORD, 1)]).toEqual([true, false, true]);
  expect(canComplete(composite("any", budget(6), KEYWORD), 5)).toBe(true);
  expect(canComplete(composite("all", budget(6), KEYWORD), 5)).toBe(false);
});

test("the carry that is judged by can't be changed, at any depth", () => {
  const outputs = { a: { list: [{ b: 1 }] } };
  const carry = carryOver("before", outputs) as { previousResponse: string; accumulatedContext: typeof outputs };
  expect(() => (carry.previousResponse = "x")).toThrow();
  expect(() => (carry.accumulatedContext.a.list[0]!.b = 2)).toThrow();
  outputs.a.list.push({ b: 3 });
  expect(carry.accumulatedContext.a.list).toEqual([{ b: 1 }]);
});
