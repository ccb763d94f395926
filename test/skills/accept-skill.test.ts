import { expect, test } from "bun:test";
import { acceptSkill, type HeaderFacts } from "../../src/skills/header-rules.ts";

const PATH = "/r/review/SKILL.md";
const facts: HeaderFacts = { name: "review", nameLine: 2, description: "Reviews.", defects: [] };
const defect = { line: 3, message: "'version' must be text", rule: "skill-field" } as const;
const otherDirectory = {
  path: PATH,
  line: 2,
  message: "'name' is 'review', but its directory is called 'shared'; rename one of the two",
  rule: "skill-name-directory",
} as const;

for (const validation of ["strict", "lenient"] as const) {
  test(`acceptSkill() accepts in ${validation} validation what follows the specification`, () => {
    const accepted = { kind: "skill", name: "review", description: "Reviews.", warnings: [] };
    expect(acceptSkill(PATH, facts, ["review"], validation) as unknown).toEqual(accepted);
    expect(acceptSkill(PATH, facts, ["shared", "review"], validation) as unknown).toEqual(accepted);
  });

  test(`acceptSkill() refuses in ${validation} validation a skill without description`, () => {
    const none = { ...facts, description: undefined, defects: [{ ...defect, rule: "skill-description" as const }] };
    expect(acceptSkill(PATH, none, ["review"], validation)).toEqual({
      kind: "refused",
      errors: [{ path: PATH, ...defect, rule: "skill-description", severity: "error" }],
    });
  });
}

test("acceptSkill() refuses in strict validation what a lenient one accepts with warnings: a defect", () => {
  const flawed = { ...facts, defects: [defect] };
  const problem = { path: PATH, ...defect };
  expect(acceptSkill(PATH, flawed, ["review"], "strict")).toEqual({
    kind: "refused",
    errors: [{ ...problem, severity: "error" }],
  });
  expect(acceptSkill(PATH, flawed, ["review"], "lenient")).toEqual({
    kind: "skill",
    name: "review",
    description: "Reviews.",
    warnings: [{ ...problem, severity: "warning" }],
  });
});

test("acceptSkill() refuses in strict validation what a lenient one accepts with warnings: another directory", () => {
  expect(acceptSkill(PATH, facts, ["shared", "link"], "strict")).toEqual({
    kind: "refused",
    errors: [{ ...otherDirectory, severity: "error" }],
  });
  expect(acceptSkill(PATH, facts, ["shared", "link"], "lenient")).toMatchObject({
    warnings: [{ ...otherDirectory, severity: "warning" }],
  });
});

test("acceptSkill() calls a nameless skill by its directory, in lenient validation", () => {
  const nameless = { ...facts, name: undefined, defects: [{ ...defect, rule: "skill-name" as const }] };
  expect(acceptSkill(PATH, nameless, ["review", "link"], "lenient")).toMatchObject({ kind: "skill", name: "review" });
});
