import { describe, expect, test } from "bun:test";
import { discoveryFinding, ruleOfProblem } from "../../../src/core/skills/discovery-findings.ts";
import { validateHeader } from "../../../src/core/skills/validate-skill.ts";

const PATH = "/r/x/SKILL.md";

// What validation says itself, so that a changed sentence that no longer tells its rule fails here.
const HEADERS: [data: unknown, rule: string][] = [
  ["text", "skill-header"],
  [{}, "skill-name"],
  [{ name: 1 }, "skill-name"],
  [{ name: "X" }, "skill-name"],
  [{ name: "x".repeat(65) }, "skill-name"],
  [{ name: "' is 'y'" }, "skill-name"],
  [{ name: "x" }, "skill-description"],
  [{ name: "x", description: 1 }, "skill-description"],
  [{ name: "x", description: " " }, "skill-description"],
  [{ name: "x", description: "d".repeat(1025) }, "skill-description"],
  [{ name: "y", description: "d" }, "skill-name-directory"],
  [{ name: "x", description: "d", version: 1 }, "skill-field"],
  [{ name: "x", description: "d", license: 1 }, "skill-field"],
  [{ name: "x", description: "d", "allowed-tools": [] }, "skill-field"],
  [{ name: "x", description: "d", compatibility: "" }, "skill-field"],
  [{ name: "x", description: "d", metadata: [] }, "skill-field"],
  [{ name: "x", description: "d", metadata: { a: 1 } }, "skill-field"],
];

const MESSAGES: [message: string, rule: string][] = [
  ["it does not begin with a header; put its name", "skill-header"],
  ["its header has no end; close it with a line '---'", "skill-header"],
  ["its header is larger than 16384 bytes", "skill-header"],
  ["line 3: Nested mappings are not allowed", "skill-header"],
  ["skills are looked for 8 directories deep; this one is deeper", "skill-limit"],
  ["it is a link that leads nowhere", "skill-unreadable"],
  ["it is a link that leads outside the root", "skill-unreadable"],
  ["it can't be looked into (EACCES)", "skill-unreadable"],
  ["something new", "skill-unreadable"],
];

describe("ruleOfProblem()", () => {
  for (const [data, rule] of HEADERS) {
    test(`${rule} for the header ${JSON.stringify(data).slice(0, 60)}`, () => {
      const validated = validateHeader(data, ["x"]);
      if (validated.kind !== "invalid") throw new Error("it is valid");
      expect(ruleOfProblem({ path: PATH, message: validated.message })).toBe(rule as "skill-name");
    });
  }

  for (const [message, rule] of MESSAGES) {
    test(`${rule} for '${message}'`, () => {
      expect(ruleOfProblem({ path: PATH, message })).toBe(rule as "skill-name");
    });
  }

  test("believes a rule that discovery names, where there is such a rule", () => {
    expect(ruleOfProblem({ path: PATH, message: "'name' x", rule: "skill-field" })).toBe("skill-field");
    expect(ruleOfProblem({ path: PATH, message: "'name' x", rule: "toString" })).toBe("skill-name");
  });
});

describe("discoveryFinding()", () => {
  const text = "---\ndescription: d\nname: X\nlicense: 1\n---\n";

  const LINES: [message: string, line: number][] = [
    ["'name' can't be 'X'", 3],
    ["'description' is empty", 2],
    ["'license' must be text", 4],
    ["'metadata.a' must be text", 1],
    ["it may not be read", 1],
  ];
  for (const [message, line] of LINES) {
    test(`finds the line of ${message}`, () => {
      expect(discoveryFinding({ path: PATH, message }, text)).toMatchObject({ line, message, path: PATH });
      expect(discoveryFinding({ path: PATH, message }, undefined).line).toBe(1);
    });
  }

  test("takes a line out of the message, and believes one that is given", () => {
    const message = "line 12: Nested mappings\nare not allowed";
    expect(discoveryFinding({ path: PATH, message }, text)).toMatchObject({
      rule: "skill-header",
      severity: "error",
      line: 12,
      message: "Nested mappings\nare not allowed",
    });
    expect(discoveryFinding({ path: PATH, message: "'name' is odd", line: 7 }, text).line).toBe(7);
  });

  test("is as grave as it is told", () => {
    expect(discoveryFinding({ path: PATH, message: "'name' is 'y', but" }, text, "warning").severity).toBe("warning");
  });
});
