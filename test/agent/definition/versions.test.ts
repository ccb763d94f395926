import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, runCodelia } from "../../support/run-codelia.ts";
import { tempTree } from "../../support/temp-tree.ts";
import { definitionFiles } from "../definitions.ts";

// Which keys the format has, and how one of them would go.

/** A definition with every key that the format has. */
const WHOLE = {
  $schema: "https://example.com/schema.json",
  version: "1.0",
  name: "whole",
  description: "Everything.",
  entryStep: "one",
  completion: {
    type: "composite",
    mode: "any",
    conditions: [
      { type: "iterationBudget", max: 5 },
      { type: "keywordSignal", keyword: "THE_END" },
    ],
  },
  limits: { maxIterations: 9, maxRetries: 1, timeoutMs: 1000, maxSameAnswers: 3 },
  connection: { engine: "command", fallback: ["claude"], command: ["true"], args: [], allowedTools: ["Read"] },
  originBranch: "main",
  steps: {
    one: {
      description: "The first.",
      prompt: { path: "one.md" },
      output: {
        $namespace: "one",
        size: { type: "number", required: false, description: "how large", default: 1 },
      },
      strict: true,
      optional: true,
      check: { type: "output", onPass: "two", onFail: { retry: 1, then: "two" } },
    },
    two: {
      prompt: { c3l: "a/b/c" },
      inputs: {
        from_step: "one",
        from_steps: ["one"],
        variables: { size: { required: false, default: 2, onMissing: "default" } },
      },
      check: { type: "prompt", prompt: { path: "one.md" }, onPass: "three" },
    },
    three: { prompt: { path: "one.md" }, check: { type: "command", command: ["true"], onPass: "complete" } },
  },
};

test("no key of the format is deprecated: a definition that has them all validates without a warning", () => {
  using tree = tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    ...definitionFiles(
      "a",
      { ...WHOLE, steps: { ...WHOLE.steps, two: { ...WHOLE.steps.two, inputs: INPUTS } } },
      {
        "one.md": "Say THE_END.\n",
        "prompts/a/b/c/f_default.md": "Go on.\n",
      },
    ),
  });
  const { stdout } = runCodelia(["agent", "validate", "a", "--json"], { cwd: tree.root, home: tree.path("home") });
  expect(JSON.parse(stdout)).toEqual({ valid: true, errors: [], warnings: [], notes: [] });
});

/** A step is named once. */
const INPUTS = { from_step: "one", variables: WHOLE.steps.two.inputs.variables };

test("the definition that has all keys has all of the schema's", () => {
  const schema = JSON.parse(readFileSync(join(REPOSITORY, "docs/schema/agent-definition.json"), "utf8"));
  const named = keysOf(WHOLE);
  expect([...propertiesOf(schema)].filter((key) => !named.has(key))).toEqual([]);
});

test("the manual says how a key would go: a warning, an error with the next major version, gone with the one after", () => {
  const manual = readFileSync(join(REPOSITORY, "docs/agents.md"), "utf8");
  const [, section = ""] = manual.split("## Versions\n");
  for (const said of ["a warning for at least one minor version", "an error from the next major version", "unknown"]) {
    expect(section).toContain(said);
  }
});

/** Every name of a property in a JSON Schema. */
function propertiesOf(schema: unknown): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown, isProperties: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (isProperties) found.add(key);
      walk(part, key === "properties" && !isProperties);
    }
  };
  walk(schema, false);
  return found;
}

function keysOf(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const found = new Set(Object.keys(value));
  for (const part of Object.values(value)) for (const key of keysOf(part)) found.add(key);
  return found;
}
