/**
 * How many tests passed, failed and were skipped.
 *
 * @param report what bun's JUnit reporter wrote; undefined when there is no such file
 * @param exitCode bun's own verdict: a test file that can't be loaded is no test, so the report doesn't count it, and
 *   a test that calls `process.exit(0)` ends the run with code 0 and no report
 */
export function summarize(report, exitCode) {
  const head = /<testsuites [^>]*>/u.exec(report ?? "")?.[0] ?? "";
  const [tests, failures, skipped] = ["tests", "failures", "skipped"].map((name) => attribute(head, name));
  const unreported = failures === 0 && (exitCode !== 0 || head === "") ? 1 : 0;
  return { passed: tests - failures - skipped, failed: failures + unreported, skipped };
}

/** The last line of a test run. */
export function formatSummary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** A run without tests proves nothing. */
export function isSuccess({ passed, failed }) {
  return failed === 0 && passed > 0;
}

function attribute(tag, name) {
  return Number(new RegExp(` ${name}="(\\d+)"`, "u").exec(tag)?.[1] ?? 0);
}
