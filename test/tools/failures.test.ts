import { expect, test } from "bun:test";
import { failureKeeper } from "../../.tools/lib/failures.mjs";

test("failureKeeper() keeps what is said of each failed test, however the output is cut", () => {
  const red = (text: string) => `\u001B[31m${text}\u001B[0m`;
  const output = `a.test.ts:\n(pass) one\nsource\nerror: two\n  at x\n${red("(fail) two")}\n(skip) three\n1 tests failed:\n(fail) two\n1 fail\n`;
  for (const size of [1, 7, output.length]) {
    const kept = failureKeeper();
    for (let at = 0; at < output.length; at += size) kept.add(output.slice(at, at + size));
    expect(kept.failures).toEqual([`source\nerror: two\n  at x\n${red("(fail) two")}`]);
  }
});

test("failureKeeper() keeps the end of what is long", () => {
  const kept = failureKeeper();
  kept.add(`${"line\n".repeat(1000)}(fail) it\n`);
  expect(kept.failures.map((failure) => failure.split("\n").length)).toEqual([60]);
});
