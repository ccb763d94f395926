import { describe, expect, test } from "bun:test";
import {
  countFindings,
  locateFindings,
  sortFindings,
  verdict,
  type FailOn,
  type Finding,
} from "../../src/check/findings.ts";
import type { Severity } from "../../src/lib/diagnostic.ts";

function found(more: Partial<Finding> = {}): Finding {
  return { rule: "skill-name", severity: "error", path: "/r/a", line: 1, message: "wrong", ...more };
}

describe("sortFindings()", () => {
  test("orders by file, place, rule and message", () => {
    const sorted = [
      found({ line: 2 }),
      found({ line: 10 }),
      found({ line: 10, column: 2 }),
      found({ line: 10, column: 11 }),
      found({ line: 10, column: 11, rule: "skill-name-directory" }),
      found({ line: 10, column: 11, rule: "skill-name-directory", message: "x" }),
      found({ path: "/r/b" }),
    ];
    expect(sortFindings(sorted.toReversed())).toEqual(sorted);
  });

  test("keeps what was found twice once", () => {
    expect(sortFindings([found(), found({ line: 2 }), found()])).toEqual([found(), found({ line: 2 })]);
  });
});

test("countFindings() counts each severity", () => {
  const findings = [found(), found({ severity: "note" }), found({ severity: "note" })];
  expect(countFindings(findings)).toEqual({ error: 1, warning: 0, note: 2 });
});

const VERDICTS: [has: Severity[], failOn: FailOn, ends: "ok" | "findings"][] = [
  [[], "note", "ok"],
  [["error"], "never", "ok"],
  [["error"], "error", "findings"],
  [["warning", "note"], "error", "ok"],
  [["note", "warning"], "warning", "findings"],
  [["note"], "warning", "ok"],
  [["error"], "warning", "findings"],
  [["note"], "note", "findings"],
];
for (const [has, failOn, ends] of VERDICTS) {
  test(`verdict() of ${has.join(", ") || "nothing"} is ${ends} when it fails on ${failOn}`, () => {
    expect(
      verdict(
        has.map((severity) => found({ severity })),
        failOn,
      ),
    ).toBe(ends);
  });
}

describe("locateFindings()", () => {
  const WAYS: [base: string, path: string, relativePath: string | undefined][] = [
    ["/r", "/r/a", "a"],
    ["/r", "/r/a\\b/c", "a\\b/c"],
    ["/", "/r/a", "r/a"],
    ["/r", "/rr/a", undefined],
    ["/r", "/r", undefined],
    ["/r/x", "/r/..x", undefined],
  ];
  for (const [base, path, relativePath] of WAYS) {
    test(`from '${base}' to '${path}'`, () => {
      expect(locateFindings([found({ path })], base)[0]?.relativePath).toBe(relativePath as string);
    });
  }

  test("shows the paths in a message from the base as well", () => {
    expect(locateFindings([found({ message: "like '/r/b/c' and '/x/r/b'" })], "/r")[0]?.message).toBe(
      "like 'b/c' and '/x/r/b'",
    );
  });

  test("a fingerprint outlives a moved line and another checkout, and is nobody else's", () => {
    const fingerprints = (findings: Finding[], base: string) =>
      locateFindings(findings, base).map(({ fingerprint }) => fingerprint);
    const before = fingerprints([found({ message: "as '/r/b'" }), found({ line: 2 }), found({ line: 3 })], "/r");
    const elsewhere = { path: "/q/a" };
    const after = [
      found({ ...elsewhere, line: 7, message: "as '/q/b'" }),
      found({ ...elsewhere, line: 8, column: 3 }),
      found({ ...elsewhere, line: 9 }),
    ];
    expect(fingerprints(after, "/q")).toEqual(before);
    expect(new Set(before).size).toBe(3);
  });
});
