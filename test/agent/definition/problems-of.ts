import { expect } from "bun:test";
import { load } from "../../../src/agent/definition/load.ts";
import type { Problem } from "../../../src/agent/definition/problem.ts";
import { validate } from "../../../src/agent/definition/validate.ts";
import { tempTree, type Entry } from "../../support/temp-tree.ts";
import { definitionFiles, RIGHT_PROMPTS, rightDefinition, type Definition } from "../definitions.ts";

/** For definitions that name it: what step 'build' gives. */
const SPARE_PROMPTS: Readonly<Record<string, Entry>> = { "prompts/door.md": "Measure by {uv-build_door}.\n" };

/** What `validate()` says of a right definition that was changed, each as code, pointer and message. */
export async function problemsOf(change: (definition: Definition) => void) {
  const definition = rightDefinition();
  change(definition);
  using tree = tempTree(definitionFiles("a", definition, { ...RIGHT_PROMPTS, ...SPARE_PROMPTS }));
  const loaded = await load((parse) => parse(), tree.path("a"));
  const before = JSON.stringify(loaded.data);
  const result = validate(loaded);
  expect(JSON.stringify(loaded.data)).toBe(before);
  expect(result.valid).toBe(result.errors.length === 0);
  for (const { path } of [...result.errors, ...result.warnings, ...result.notes])
    expect(path).toBe(tree.path("a/agent.json"));
  const shown = ({ rule, pointer, message }: Problem) => [rule, pointer, message];
  const [errors, warnings, notes] = [result.errors.map(shown), result.warnings.map(shown), result.notes.map(shown)];
  return { ...result, errors, warnings, notes };
}
