import { expect, test } from "bun:test";
import { printedFindings } from "../../src/check/findings.ts";
import type { Finding } from "../../src/check/findings.ts";
import type { RuleId } from "../../src/check/rules.ts";

function found(rule: RuleId, path: string, count: number): Finding[] {
  return Array.from({ length: count }, (_, at) => ({ rule, severity: "note", path, line: at + 1, message: "wrong" }));
}

test("of each rule in each file a hundred are printed, and the others counted", () => {
  const all = [...found("skill-name", "/a", 100), ...found("skill-name", "/b", 130), ...found("skill-field", "/b", 2)];
  const printed = printedFindings(all.toReversed());
  expect(printed).toHaveLength(100 + 100 + 2 + 1);
  expect(printed.filter(({ rule }) => rule === "skill-limit")).toMatchObject([
    { path: "/b", message: "30 more findings of skill-name" },
  ]);
  expect(Math.max(...printed.map(({ line }) => line ?? 1))).toBe(100);
});
