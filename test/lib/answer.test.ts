import { expect, test } from "bun:test";
import { readAnswer, type Answer } from "../../src/lib/answer.ts";

const CASES: [line: string | undefined, answer: Answer][] = [
  ["y", "once"],
  [" YES\r", "once"],
  ["a", "always"],
  ["Always", "always"],
  ["n", "no"],
  ["", "no"],
  ["ye", "no"],
  ["y a", "no"],
  ["ｙ", "no"],
  [undefined, "no"],
];
for (const [line, answer] of CASES) {
  test(`readAnswer() takes ${JSON.stringify(line)} for ${answer}`, () => {
    expect(readAnswer(line)).toBe(answer);
  });
}
