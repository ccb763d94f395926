import { stripVTControlCharacters } from "node:util";

const callersOwn = /^(?:CODELIA_|CLAUDE|CODEX|XDG_)/u;
/** Variables for developers who run the tests. */
const asked = new Set(["CODELIA_UPDATE"]);
const switches = new Set(["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "INIT_CWD"]);

/**
 * The environment of a test run, without the variables of the caller (a person, an agent or a CI job) that could change
 * a result.
 */
export function testEnvironment(env) {
  const isKept = (name) => asked.has(name) || (!callersOwn.test(name) && !switches.has(name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}

const result = /^\((pass|fail|skip|todo)\) /u;
const minLines = 3;
const maxLines = 60;

/** Collects what `bun test` prints about each failed test, to repeat it at the end. */
export function failureKeeper() {
  const failures = [];
  let lines = [];
  let rest = "";
  return {
    add(chunk) {
      const [last, ...whole] = `${rest}${chunk}`.split("\n").toReversed();
      rest = last;
      for (const line of whole.toReversed()) {
        lines.push(line);
        const verdict = result.exec(stripVTControlCharacters(line))?.[1];
        // At the end bun lists the names again, without details.
        if (verdict === "fail" && lines.length > minLines) failures.push(lines.slice(-maxLines).join("\n"));
        if (verdict !== undefined) lines = [];
      }
    },
    failures,
  };
}

/**
 * How many tests passed, failed and were skipped.
 *
 * @param report what bun's JUnit reporter wrote; undefined when there is no such file
 * @param exitCode bun's exit code: the report doesn't count test files that can't be loaded, and a test that calls
 *   `process.exit(0)` ends the run with code 0 and without a report
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
