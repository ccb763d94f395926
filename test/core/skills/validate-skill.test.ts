import { expect, test } from "bun:test";
import { validateHeader } from "../../../src/core/skills/validate-skill.ts";

const good = { name: "repo-review", description: " Reviews.\n" };

const valid: [name: string, data: unknown][] = [
  ["the required keys", good],
  ["every optional key", { ...good, version: "1", license: "MIT", compatibility: "git", "allowed-tools": "Read" }],
  ["metadata", { ...good, metadata: { author: "me", version: "1.0" } }],
  ["keys of other programs", { ...good, model: 1, hooks: [] }],
];
for (const [name, data] of valid) {
  test(`validateHeader() accepts ${name}`, () => {
    expect(validateHeader(data, ["repo-review"])).toEqual({
      kind: "valid",
      name: "repo-review",
      description: "Reviews.",
    });
  });
}

const invalid: [name: string, data: unknown, message: RegExp][] = [
  ["no table", null, /^its header holds no 'key: value' lines; it needs/],
  ["a list", [], /^its header holds no/],
  ["no name", { description: "d" }, /^'name' is missing; add a line/],
  ["a number as name", { ...good, name: 1 }, /^'name' must be text; put it in quotes$/],
  ["capitals", { ...good, name: "Repo" }, /^'name' can't be 'Repo'; use lower-case/],
  ["double hyphens", { ...good, name: "repo--review" }, /single hyphens/],
  ["a hyphen at the end", { ...good, name: "repo-" }, /single hyphens/],
  ["a long name", { ...good, name: "a".repeat(65) }, /^'name' is 65 characters long; at most 64/],
  ["no description", { name: "repo-review" }, /^'description' is missing; add a line/],
  ["a description of blanks", { ...good, description: " \n" }, /^'description' is empty; say what/],
  ["a long description", { ...good, description: "d".repeat(1025) }, /^'description' is 1025 characters long; at most/],
  ["a number as version", { ...good, version: 1 }, /^'version' must be text; put it in quotes$/],
  ["a list of tools", { ...good, "allowed-tools": ["Read"] }, /^'allowed-tools' must be text/],
  ["a long compatibility", { ...good, compatibility: "c".repeat(501) }, /^'compatibility' is 501 characters long/],
  ["metadata that is text", { ...good, metadata: "x" }, /^'metadata' must be a table/],
  ["a number in metadata", { ...good, metadata: { v: 1 } }, /^'metadata.v' must be text; put it in quotes$/],
];
for (const [name, data, message] of invalid) {
  test(`validateHeader() refuses ${name} and says how to repair it`, () => {
    const validated = validateHeader(data, ["repo-review"]);
    expect(validated.kind === "invalid" ? validated.message : validated.kind).toMatch(message);
  });
}

test("validateHeader() wants the name of the directory, or of a link that leads to it", () => {
  expect(validateHeader(good, ["shared", "repo-review"]).kind).toBe("valid");
  expect(validateHeader(good, ["shared", "alias"])).toEqual({
    kind: "invalid",
    message: "'name' is 'repo-review', but its directory is called 'shared'; rename one of the two",
  });
});
