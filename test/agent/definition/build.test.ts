import { expect, test } from "bun:test";
import { build, type Builders } from "../../../src/agent/definition/build.ts";
import { commandWords } from "../../../src/agent/definition/build.ts";
import { load } from "../../../src/agent/definition/load.ts";
import { validate } from "../../../src/agent/definition/validate.ts";
import { ConfigurationError } from "../../../src/agent/errors.ts";
import type { PromptResolver } from "../../../src/agent/definition/prompts.ts";
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

interface Parts {
  readonly members: readonly string[];
  readonly prompts: PromptResolver;
}

const BUILDERS: Builders<string, Parts> = {
  engines: undefined,
  makeMember: (name) => name,
  assemble: (parts) => parts,
};

test("build() makes the engines, those to fall back on last, and the prompts", async () => {
  using files = definitionTree((d) => (d.connection = { engine: "codex", fallback: ["claude"] }));
  const { members, prompts } = build(await validated(files), BUILDERS);
  expect(members).toEqual(["codex", "claude"]);
  expect(await prompts.resolve({ path: "prompts/measure.md" })).toBe("Measure it.\n");
  expect(build(await validated(files), { ...BUILDERS, engines: ["claude"] }).members).toEqual(["claude"]);
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
  using none = definitionTree((d) => delete d.connection);
  const found = await validated(none);
  expect(dependencyError(() => build(found, BUILDERS))).toContain("it names no engine");
  const makeMember = () => {
    throw new ConfigurationError("there is no such engine");
  };
  expect(dependencyError(() => build(found, { ...BUILDERS, engines: ["claude"], makeMember }))).toContain(
    "there is no such engine",
  );
  none.remove("a/prompts/review.md");
  expect(dependencyError(() => build(found, { ...BUILDERS, engines: ["claude"] }))).toContain(
    "there is no 'prompts/review.md'",
  );
});

test("commandWords() takes a word that names a file of the definition for that file, and no other", () => {
  using files = tempTree({
    "a/model.mjs": "",
    "a/sub/check.sh": "",
    "a/folder/": dir,
    "a/link": { link: "../b" },
    b: "",
  });
  const words = [
    "node",
    "model.mjs",
    "sub/check.sh",
    "./model.mjs",
    "folder",
    "../b",
    "link",
    "--x=model.mjs",
    "",
    "/bin/sh",
  ];
  const at = (path: string) => files.path("a", path);
  expect(commandWords(files.path("a"), words)).toEqual([
    "node",
    at("model.mjs"),
    at("sub/check.sh"),
    at("model.mjs"),
    "folder",
    "../b",
    "link",
    "--x=model.mjs",
    "",
    "/bin/sh",
  ]);
});
