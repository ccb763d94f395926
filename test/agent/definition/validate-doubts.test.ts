import { expect, test } from "bun:test";
import type { Definition } from "../definitions.ts";
import { problemsOf } from "./problems-of.ts";

const DOUBTFUL: [what: string, change: (definition: Definition) => void, pointer: string, message: RegExp][] = [
  [
    "a required input of a field that is not required",
    (d) => (d.steps.measure.output.height.required = false),
    "/steps/build/inputs/variables/measure.height",
    /^'measure.height' may be missing, because its field 'height' is not required, which ends the run; set/,
  ],
  [
    "a required input of an optional step",
    (d) => (d.steps.measure.optional = true),
    "/steps/build/inputs/variables/measure.height",
    /may be missing, because step 'measure' is optional, which/,
  ],
  [
    "a keyword that no prompt names",
    (d) => {
      const signal = { type: "keywordSignal", keyword: "THE_END" };
      d.completion = { type: "composite", mode: "any", conditions: [d.completion, signal] };
    },
    "/completion/conditions/1/keyword",
    /^no prompt names 'THE_END': say in one of them when to write it$/,
  ],
];
for (const [what, change, pointer, message] of DOUBTFUL) {
  test(`${what} is a warning`, async () => {
    const { valid, errors, warnings } = await problemsOf(change);
    expect([valid, errors]).toEqual([true, []]);
    expect(warnings.map(([, place]) => place)).toEqual([pointer]);
    expect(warnings[0]?.[2]).toMatch(message);
  });
}

const EMPTY: [what: string, change: (definition: Definition) => void, when: string, ...pointers: string[]][] = [
  [
    "a skipped input",
    (d) => {
      d.steps.build.inputs.variables["measure.height"] = { onMissing: "skip" };
      d.steps.measure.output.height.required = false;
    },
    "where its input is skipped",
    "/steps/build/prompt",
    "/steps/build/check/prompt",
  ],
  [
    "an input that comes later",
    (d) => {
      d.steps.build.output = { door: { type: "string" } };
      d.steps.measure.inputs = { variables: { "build.door": false } };
      d.steps.measure.prompt.path = "prompts/door.md";
    },
    "when step 'measure' runs for the first time",
    "/steps/measure/prompt",
  ],
  [
    "a field of a check's own step that may be left out",
    (d) => {
      d.steps.build.output = { door: { type: "string", required: false } };
      d.steps.build.check.prompt.path = "prompts/door.md";
    },
    "where the answer leaves 'door' out",
    "/steps/build/check/prompt",
  ],
];
for (const [what, change, when, ...pointers] of EMPTY) {
  test(`a variable that is empty for ${what} is a note`, async () => {
    const { valid, warnings, notes } = await problemsOf(change);
    expect([valid, warnings]).toEqual([true, []]);
    expect(notes.map(([, pointer]) => pointer)).toEqual(pointers);
    for (const [, , message] of notes) expect(message).toEndWith(`, which is empty ${when}`);
  });
}

const FINE: [what: string, change: (definition: Definition) => void][] = [
  ["a keyword that a prompt names", (d) => (d.completion = { type: "keywordSignal", keyword: "Measure" })],
  [
    "a required input that another way brings before",
    (d) => {
      d.steps.paint = {
        prompt: { path: "prompts/measure.md" },
        output: { colour: { type: "string" } },
        check: { type: "output", onPass: "build" },
      };
      d.steps.measure.check.onFail = { then: "paint" };
      d.steps.build.inputs.variables["paint.colour"] = true;
    },
  ],
  [
    "an input that is there only the second time, and isn't required",
    (d) => {
      d.steps.build.output = { door: { type: "string" } };
      d.steps.measure.inputs = { variables: { "build.door": { required: false, default: "none" } } };
      d.steps.measure.prompt.path = "prompts/door.md";
    },
  ],
  [
    "a check's prompt that names a field of its own step",
    (d) => {
      d.steps.build.output = { door: { type: "string" } };
      d.steps.build.check.prompt.path = "prompts/door.md";
    },
  ],
  ["a $namespace that is the step's name", (d) => (d.steps.measure.output.$namespace = "measure")],
  [
    "a way to the end that is as long as the run may be",
    (d) => {
      delete d.completion;
      d.limits.maxIterations = 2;
    },
  ],
  [
    "a way to the end that is too long, where the completion ends the run",
    (d) => {
      d.completion.max = 1;
      d.limits.maxIterations = 1;
    },
  ],
];
for (const [what, change] of FINE) {
  test(`validate() has nothing against ${what}`, async () => {
    expect(await problemsOf(change)).toMatchObject({ valid: true, errors: [], warnings: [], notes: [] });
  });
}
