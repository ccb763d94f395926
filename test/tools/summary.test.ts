import { describe, expect, test } from "bun:test";
import { formatSummary, isSuccess, summarize } from "../../.tools/lib/summary.mjs";

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
