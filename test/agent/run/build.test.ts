import { expect, test } from "bun:test";
import { load } from "../../../src/agent/definition/load.ts";
import { ownWord } from "../../../src/agent/definition/open.ts";
import { validate } from "../../../src/agent/definition/validate.ts";
import { ConfigurationError } from "../../../src/agent/errors.ts";
import { build } from "../../../src/agent/run/assemble.ts";
import { dir, tempTree, type TempTree } from "../../support/temp-tree.ts";
import { definitionFiles, rightDefinition, type Definition } from "../definitions.ts";

async function validated(tree: TempTree) {
  const result = validate(await load((parse) => parse(), tree.path("a")));
  if (!result.valid) throw new Error(JSON.stringify(result.errors));
  return result.validated;
}

function definitionTree(change: (definition: Definition) => void = () => {}) {
  const definition = rightDefinition();
  change(definition);
  return tempTree(definitionFiles("a", definition));
}

const byName = (name: string) => name;
const none = () => undefined;

test("build() makes the engines, those to fall back on last, and the prompts", async () => {
  using files = definitionTree((d) => (d.connection = { engine: "codex", fallback: ["claude"] }));
  const { members, prompts } = build(await validated(files), undefined, byName, none);
  expect(members).toEqual(["codex", "claude"]);
  expect(await prompts.resolve({ path: "prompts/measure.md" })).toBe("Measure it.\n");
  expect(build(await validated(files), ["claude"], byName, none).members).toEqual(["claude"]);
});

function dependencyError(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    const { details, recoverable, message } = error as ConfigurationError;
    expect([details["kind"], recoverable]).toEqual(["DependencyError", false]);
    return message;
  }
  throw new Error("nothing was thrown");
}

test("build() answers DependencyError without an engine, without one that can be made, and without a prompt", async () => {
  using files = definitionTree((d) => delete d.connection);
  const found = await validated(files);
  expect(dependencyError(() => build(found, undefined, byName, none))).toContain("it names no engine");
  const makeMember = () => {
    throw new ConfigurationError("there is no such engine");
  };
  expect(dependencyError(() => build(found, ["claude"], makeMember, none))).toContain("there is no such engine");
  const isMissing = (name: string) => `no ${name}`;
  const both = () => build(found, ["claude", "codex"], byName, isMissing);
  expect(dependencyError(both)).toBe("'improver' can't be run: no claude; no codex");
  const one = build(found, ["claude", "codex"], byName, (name) => (name === "claude" ? "no claude" : undefined));
  expect(one.members).toEqual(["claude", "codex"]);
  files.remove("a/prompts/review.md");
  expect(dependencyError(() => build(found, ["claude"], byName, none))).toContain("there is no 'prompts/review.md'");
});

test("ownWord() takes a word that names a file of the definition for that file, and no other", () => {
  using files = tempTree({
    "a/model.mjs": "",
    "a/sub/check.sh": "",
    "a/folder/": dir,
    "a/link": { link: "../b" },
    b: "",
  });
  for (const word of ["model.mjs", "sub/check.sh", "./model.mjs"]) {
    expect(ownWord(files.path("a"), word)).toBe(files.path("a", word));
  }
  for (const word of ["node", "folder", "../b", "link", "--x=model.mjs", "", "/bin/sh"]) {
    expect(ownWord(files.path("a"), word)).toBe(word);
  }
});
