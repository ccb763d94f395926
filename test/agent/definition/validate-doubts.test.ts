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
    "a check's prompt that names a field of its own step that may be left out",
    (d) => {
      d.steps.build.output = { door: { type: "string", required: false } };
      d.steps.build.check.prompt.path = "prompts/door.md";
    },
    "/steps/build/check/prompt",
    /'\{uv-build_door\}', which has no value where the answer leaves 'door' out; give the field a default/,
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

const FINE: [what: string, change: (definition: Definition) => void][] = [
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
    expect(await problemsOf(change)).toMatchObject({ valid: true, errors: [], warnings: [] });
  });
}
