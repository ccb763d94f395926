import { expect, test } from "bun:test";
import { checkHeader, acceptSkill, type HeaderFacts } from "../../src/skills/header-rules.ts";

const good = { name: "repo-review", description: " Reviews.\n" };

const valid: [name: string, data: unknown][] = [
  ["the required keys", good],
  ["every optional key", { ...good, version: "1", license: "MIT", compatibility: "git", "allowed-tools": "Read" }],
  ["metadata", { ...good, metadata: { author: "me", version: "1.0" } }],
  ["keys of other programs", { ...good, model: 1, hooks: [] }],
];
const lineOf = (key: string) => ["", "name", "description"].indexOf(key) + 1;

for (const [name, data] of valid) {
  test(`checkHeader() accepts ${name}`, () => {
    expect(checkHeader(data, lineOf)).toEqual({
      name: "repo-review",
      nameLine: 2,
      description: "Reviews.",
      defects: [],
    });
  });
}

const invalid: [name: string, data: unknown, message: RegExp][] = [
  ["no table", null, /^its header holds no 'key: value' lines; it needs/],
  ["a list", [], /^its header holds no/],
  ["no name", { description: "d" }, /^'name' is missing; add a line/],
  ["a name without a value", { ...good, name: null }, /^'name' is empty; write the name of its directory$/],
  ["a number as name", { ...good, name: 1 }, /^'name' must be text; put it in quotes$/],
  ["capitals", { ...good, name: "Repo" }, /^'name' can't be 'Repo'; use lower-case/],
  ["double hyphens", { ...good, name: "repo--review" }, /single hyphens/],
  ["a hyphen at the end", { ...good, name: "repo-" }, /single hyphens/],
  ["a long name", { ...good, name: "a".repeat(65) }, /^'name' is 65 characters long; at most 64/],
  ["no description", { name: "repo-review" }, /^'description' is missing; add a line/],
  ["a description without a value", { ...good, description: null }, /^'description' is empty; say what/],
  ["a description of blanks", { ...good, description: " \n" }, /^'description' is empty; say what/],
  ["a long description", { ...good, description: "d".repeat(1025) }, /^'description' is 1025 characters long; at most/],
  ["a number as version", { ...good, version: 1 }, /^'version' must be text; put it in quotes$/],
  ["a list of tools", { ...good, "allowed-tools": ["Read"] }, /^'allowed-tools' must be text/],
  ["a long compatibility", { ...good, compatibility: "c".repeat(501) }, /^'compatibility' is 501 characters long/],
  ["metadata that is text", { ...good, metadata: "x" }, /^'metadata' must be a table/],
  ["a number in metadata", { ...good, metadata: { v: 1 } }, /^'metadata.v' must be text; put it in quotes$/],
];
for (const [name, data, message] of invalid) {
  test(`checkHeader() reports ${name} and says how to repair it`, () => {
    expect(checkHeader(data, lineOf).defects.map((defect) => defect.message)).toEqual([expect.stringMatching(message)]);
  });
}

test("checkHeader() reports every defect with its line and rule", () => {
  const { defects } = checkHeader({ name: "A", description: 1, license: [] }, lineOf);
  expect(defects.map(({ line, rule }) => [line, rule])).toEqual([
    [2, "skill-name"],
    [3, "skill-description"],
    [0, "skill-field"],
  ]);
});

const lenient: [what: string, data: unknown, name: string | undefined, description: string | undefined][] = [
  ["capitals", { ...good, name: "Repo Review" }, "Repo Review", "Reviews."],
  ["a number as name", { ...good, name: 7 }, "7", "Reviews."],
  ["a name over two lines", { ...good, name: "a\nb" }, undefined, "Reviews."],
  ["a long name", { ...good, name: "a".repeat(65) }, undefined, "Reviews."],
  ["no name", { description: "d" }, undefined, "d"],
  ["a yes as description", { ...good, description: true }, "repo-review", "true"],
  ["a description of blanks", { ...good, description: " " }, "repo-review", undefined],
  ["a list as description", { ...good, description: ["x"] }, "repo-review", undefined],
  [
    "a long description",
    { ...good, description: `${"d".repeat(1023)}😀 and more` },
    "repo-review",
    `${"d".repeat(1023)}… [cut: 1024 of 1034 characters]`,
  ],
];
for (const [what, data, name, description] of lenient) {
  test(`checkHeader() gives a lenient reader what ${what} can mean`, () => {
    const facts = checkHeader(data, lineOf);
    expect([facts.name, facts.description]).toEqual([name, description]);
    expect(facts.defects.length).toBe(1);
  });
}

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

test("acceptSkill() accepts in both validations what is wrong with another field", () => {
  const odd = { ...facts, defects: [{ ...defect, rule: "skill-field" as const }] };
  for (const validation of ["strict", "lenient"] as const) {
    expect(acceptSkill(PATH, odd, ["review"], validation)).toEqual({
      kind: "skill",
      name: "review",
      description: "Reviews.",
      warnings: [{ path: PATH, ...defect, rule: "skill-field", severity: "warning" }],
    });
  }
});

test("acceptSkill() refuses in strict validation what a lenient one accepts with warnings: a defect", () => {
  const named = { ...defect, rule: "skill-description" as const };
  const flawed = { ...facts, defects: [named] };
  const problem = { path: PATH, ...named };
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
