import { expect, test } from "bun:test";
import { didYouMean, nearest } from "../../src/lib/words.ts";

const VERBS = ["init-context", "resolve", "resume-diff", "session", "config", "trim", "schema", "skills"];

const CASES: [typed: string, candidates: string[], expected: string | undefined][] = [
  ["resolve", VERBS, "resolve"],
  ["reslove", VERBS, "resolve"],
  ["resolv", VERBS, "resolve"],
  ["resolvee", VERBS, "resolve"],
  ["rezolve", VERBS, "resolve"],
  ["tirm", VERBS, "trim"],
  ["skill", VERBS, "skills"],
  ["init-contxt", VERBS, "init-context"],
  ["maxfiles", ["maxFiles", "maxBytes"], "maxFiles"],
  ["--jsn", ["--json", "--cwd"], "--json"],
  ["zzzzzz", VERBS, undefined],
  ["resolve", [], undefined],
  ["abcdefghi", ["abc"], undefined],
  ["", VERBS, undefined],
  ["ab", ["ac", "ab"], "ab"],
  ["ab", ["ac", "ad"], "ac"],
  ["constructor", VERBS, undefined],
];
for (const [typed, candidates, expected] of CASES) {
  test(`nearest() finds ${expected} when '${typed}' is typed among ${candidates.length} candidates`, () => {
    expect(nearest(typed, candidates)).toBe(expected as string);
  });
}

test("nearest() takes no time over a very long word", () => {
  const startedAt = performance.now();
  expect(nearest("x".repeat(60_000), VERBS)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(100);
});

test("didYouMean() is the tail of a sentence, or nothing", () => {
  expect(didYouMean("tirm", VERBS)).toBe(", did you mean 'trim'?");
  expect(didYouMean("zzzzzz", VERBS)).toBe("");
});
