import { describe, expect, test } from "bun:test";
import { failureKeeper, formatSummary, isSuccess, summarize, testEnvironment } from "../../.tools/lib/test-run.mjs";

test("testEnvironment() keeps what a test may know and drops what the caller is", () => {
  const kept = { PATH: "/bin", HOME: "/home/u", LANG: "C", MY_CODEX: "1" };
  const dropped = {
    CODELIA_HOME: "/x",
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "s",
    CODEX_THREAD_ID: "t",
    XDG_STATE_HOME: "/y",
    NO_COLOR: "1",
    FORCE_COLOR: "1",
    GITHUB_ACTIONS: "true",
    INIT_CWD: "/z",
  };
  expect(testEnvironment({ ...kept, ...dropped })).toEqual(kept);
});

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

const head = (counts: string) =>
  `<?xml version="1.0"?>\n<testsuites name="bun test" ${counts} time="0.01">\n<testsuite tests="99" failures="99"/>`;

describe("summarize() counts", () => {
  const allPassed = head('tests="3" assertions="9" failures="0" skipped="0"');
  const oneOfEach = head('tests="3" assertions="9" failures="1" skipped="1"');
  test.each([
    ["a run in which all passed", allPassed, 0, { passed: 3, failed: 0, skipped: 0 }],
    ["a run with one of each", oneOfEach, 1, { passed: 1, failed: 1, skipped: 1 }],
    ["a file that can't be loaded as a failure", allPassed, 1, { passed: 3, failed: 1, skipped: 0 }],
    ["a run that ended early without a report as a failure", undefined, 0, { passed: 0, failed: 1, skipped: 0 }],
    ["a run that was killed as a failure", undefined, 137, { passed: 0, failed: 1, skipped: 0 }],
    ["a report that broke off as a failure", "<?xml", 0, { passed: 0, failed: 1, skipped: 0 }],
  ])("%s", (_, report, exitCode, expected) => {
    expect(summarize(report, exitCode)).toEqual(expected);
  });
});

test.each([
  [{ passed: 3, failed: 0, skipped: 0 }, "3 passed, 0 failed", true],
  [{ passed: 3, failed: 2, skipped: 0 }, "3 passed, 2 failed", false],
  [{ passed: 3, failed: 0, skipped: 4 }, "3 passed, 0 failed, 4 skipped", true],
  [{ passed: 0, failed: 0, skipped: 4 }, "0 passed, 0 failed, 4 skipped", false],
])("formatSummary() and isSuccess() judge %o", (summary, line, success) => {
  expect(formatSummary(summary)).toBe(line);
  expect(isSuccess(summary)).toBe(success);
});
