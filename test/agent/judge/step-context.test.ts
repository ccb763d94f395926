import { expect, test } from "bun:test";
import type { InputSpec } from "../../../src/agent/schema.ts";
import { createStepContext } from "../../../src/agent/judge/variables.ts";

const GIVEN = { measure: { height: 3, unit: "m", parts: [1, { a: 2 }] }, other: { height: "x" } };

test("get() of what no step has given is undefined, also for the names that every table has", () => {
  const context = createStepContext(GIVEN);
  expect(context.get("measure", "height")).toBe(3);
  expect(context.get("measure", "width")).toBeUndefined();
  expect(context.get("nobody", "height")).toBeUndefined();
  expect(context.get("toString", "length")).toBeUndefined();
  expect(context.get("measure", "constructor")).toBeUndefined();
});

test("set() overwrites what the step gave before, whole, and keeps no history", () => {
  const context = createStepContext(GIVEN);
  context.set("measure", { height: 4 });
  expect(context.outputs).toEqual({ measure: { height: 4 }, other: { height: "x" } });
  expect(context.get("measure", "unit")).toBeUndefined();
  expect(GIVEN.measure.height).toBe(3);
});

const READ: [what: string, spec: InputSpec | undefined, read: object][] = [
  ["nothing for no inputs", undefined, { kind: "variables", variables: {} }],
  ["a required input", { variables: { "measure.height": true } }, variables({ "uv-measure_height": "3" })],
  [
    "lists and tables as JSON",
    { variables: { "measure.parts": true } },
    variables({ "uv-measure_parts": '[1,{"a":2}]' }),
  ],
  [
    "an input without a step, from from_step",
    { from_step: "measure", variables: { unit: true } },
    variables({ "uv-measure_unit": "m" }),
  ],
  [
    "one from each of from_steps",
    { from_steps: ["measure", "other"], variables: { height: true } },
    variables({ "uv-measure_height": "3", "uv-other_height": "x" }),
  ],
  [
    "every missing one that is required",
    { variables: { "a.b": true, "a.c": {}, "measure.unit": true } },
    missing("a.b", "a.c"),
  ],
  [
    "a missing one with a default that is an error all the same",
    { variables: { "a.b": { default: 1 } } },
    missing("a.b"),
  ],
  [
    "a required one whose default is asked for",
    { variables: { "a.b": { default: 1, onMissing: "default" } } },
    variables({ "uv-a_b": "1" }),
  ],
  ["a required one that is skipped", { variables: { "a.b": { onMissing: "skip" } } }, variables({})],
  [
    "an optional one by its default",
    { variables: { "a.b": { required: false, default: "m" } } },
    variables({ "uv-a_b": "m" }),
  ],
  [
    "an optional one without a default: skipped",
    { variables: { "a.b": { required: false }, "a.c": false } },
    variables({}),
  ],
  [
    "an optional one that is an error",
    { variables: { "a.b": { required: false, onMissing: "error" } } },
    missing("a.b"),
  ],
  [
    "a default that is not needed",
    { variables: { "measure.unit": { required: false, default: "ft" } } },
    variables({ "uv-measure_unit": "m" }),
  ],
];
for (const [what, spec, read] of READ) {
  test(`toUvVariables() gives ${what}`, () => {
    const context = createStepContext(GIVEN);
    expect(context.toUvVariables(spec)).toEqual(read as never);
    expect(context.outputs).toEqual(GIVEN);
  });
}

function variables(given: Record<string, string>) {
  return { kind: "variables", variables: given };
}

function missing(...names: string[]) {
  const pairs = names.map((name) => name.split("."));
  return { kind: "missing", missing: pairs.map(([step, field]) => ({ step, field })) };
}
