import { expect, test } from "bun:test";
import { unifiedDiff } from "../../src/lib/diff.ts";

const lines = (...texts: (string | number)[]) => texts.map((text) => `${text}\n`).join("");

const CASES: [what: string, before: string | undefined, after: string | undefined, diff: string][] = [
  ["nothing", "a\n", "a\n", ""],
  ["a new file", undefined, "a\nb\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"],
  ["a file that goes", "a\n", undefined, "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"],
  [
    "a changed line with what is near it",
    lines(1, 2, 3, 4, 5, 6, 7, 8, 9),
    lines(1, 2, 3, 4, "x", 6, 7, 8, 9),
    "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
  ],
  [
    "two places far from each other",
    lines(1, 2, 3, 4, 5, 6, 7, 8, 9),
    lines("x", 1, 2, 3, 4, 5, 6, 7, 8),
    "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+x\n 1\n 2\n 3\n@@ -6,4 +7,3 @@\n 6\n 7\n 8\n-9\n",
  ],
  ["a missing end of line", "a", "a\n", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"],
];
for (const [what, before, after, diff] of CASES) {
  test(`unifiedDiff() shows ${what}`, () => expect(unifiedDiff("f", { before, after })).toBe(diff));
}
