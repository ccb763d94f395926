import { expect, test } from "bun:test";
import { load } from "../../../src/agent/definition/load.ts";
import { validate } from "../../../src/agent/definition/validate.ts";
import { tempTree } from "../../support/temp-tree.ts";
import type { Definition } from "../definitions.ts";
import { problemsOf } from "./problems-of.ts";

test("a right definition is valid, and says what it must be given", async () => {
  const result = await problemsOf(() => {});
  expect(result).toMatchObject({ valid: true, errors: [], warnings: [] });
  expect(result.valid && result.validated.given).toEqual(["who"]);
});

const WRONG: [
  what: string,
  change: (definition: Definition) => void,
  ...errors: [code: string, pointer: string, message: RegExp][],
][] = [
  ["no name", (d) => delete d.name, ["form", "/name", /the key 'name' is missing/]],
  ["a name with capitals", (d) => (d.name = "A"), ["form", "/name", /lower-case/]],
  ["no steps", (d) => delete d.steps, ["form", "/steps", /the key 'steps' is missing/]],
  [
    "a table of steps with nothing in it",
    (d) => (d.steps = {}),
    ["entry", "/entryStep", /'steps' is empty: add it there/],
  ],
  [
    "a check of no type",
    (d) => delete d.steps.measure.check.type,
    ["form", "/steps/measure/check/type", /the key 'type' is missing/],
  ],
  ["a misspelt key", (d) => (d.entrystep = "x"), ["unknown_key", "/entrystep", /did you mean 'entryStep'/]],
  [
    "a misspelt key in a check",
    (d) => (d.steps.measure.check.onfail = {}),
    ["unknown_key", "/steps/measure/check/onfail", /did you mean 'onFail'/],
  ],
  [
    "a misspelt key of an input",
    (d) => (d.steps.build.inputs.variables["measure.height"] = { requird: true }),
    ["unknown_key", "/steps/build/inputs/variables/measure.height/requird", /did you mean 'required'/],
  ],
  [
    "an input that is a number",
    (d) => (d.steps.build.inputs.variables["measure.height"] = 3),
    ["form", "/steps/build/inputs/variables/measure.height", /boolean.*or.*object/],
  ],
  [
    "a misspelt key in a nested completion",
    (d) =>
      (d.completion = { type: "composite", mode: "any", conditions: [{ type: "iterationBudget", max: 2, mx: 1 }] }),
    ["unknown_key", "/completion/conditions/0/mx", /did you mean 'max'/],
  ],
  [
    "a keyword of two lines",
    (d) => (d.completion = { type: "keywordSignal", keyword: "a\nb" }),
    ["form", "/completion/keyword", /one line/],
  ],
  [
    "an empty composite",
    (d) => (d.completion = { type: "composite", mode: "all", conditions: [] }),
    ["form", "/completion/conditions", /./],
  ],
  [
    "a field called $namespace",
    (d) => (d.steps.measure.output.$namespace = { type: "string" }),
    ["form", "/steps/measure/output/$namespace", /^'\$namespace' must be 'measure', the name of its step, or be left/],
  ],
  [
    "a $namespace of another step",
    (d) => (d.steps.measure.output.$namespace = "build"),
    ["form", "/steps/measure/output/$namespace", /^'\$namespace' must be 'measure'/],
  ],
  [
    "a field of no type",
    (d) => (d.steps.measure.output.height = {}),
    ["form", "/steps/measure/output/height/type", /./],
  ],
  [
    "a prompt with both kinds of reference",
    (d) => (d.steps.measure.prompt.c3l = "a/b/c"),
    ["form", "/steps/measure/prompt", /one of them/],
  ],
  [
    "a step with a name that a variable can't hold",
    (d) => (d.steps["A_b"] = { prompt: { path: "prompts/measure.md" } }),
    ["form", "/steps/A_b", /lower-case/],
  ],
  [
    "a step that is called complete",
    (d) => (d.steps.complete = { prompt: { path: "prompts/measure.md" } }),
    ["form", "/steps/complete", /end of the run/],
  ],
  [
    "an entry that is no step",
    (d) => (d.entryStep = "mesure"),
    ["entry", "/entryStep", /no step 'mesure', did you mean 'measure'/],
  ],
  [
    "a transition to no step",
    (d) => (d.steps.measure.check.onPass = "buld"),
    ["transition", "/steps/measure/check/onPass", /did you mean 'build'/],
  ],
  [
    "a way out to no step",
    (d) => (d.steps.build.check.onFail.then = "nowhere"),
    ["transition", "/steps/build/check/onFail/then", /one of measure, build, complete/],
  ],
  [
    "a prompt that is not there",
    (d) => (d.steps.measure.prompt.path = "prompts/no.md"),
    ["prompt", "/steps/measure/prompt", /there is no 'prompts\/no.md'/],
  ],
  [
    "a C3L prompt that is not there",
    (d) => (d.steps.build.prompt.c3l = "steps/build/house/long/ja"),
    ["prompt", "/steps/build/prompt", /there is no 'prompts\/steps\/build\/house\/f_long_ja.md'/],
  ],
  [
    "a check's prompt that leads out",
    (d) => (d.steps.build.check.prompt.path = "../x.md"),
    ["prompt", "/steps/build/check/prompt", /is outside/],
  ],
  [
    "a variable that is no input",
    (d) => (d.steps.build.inputs.variables = {}),
    ["variable", "/steps/build/prompt", /'\{uv-measure_height\}', which is no input of step 'build'/],
    ["variable", "/steps/build/check/prompt", /no input of step 'build'/],
  ],
  [
    "an input of no step",
    (d) => (d.steps.build.inputs.variables["mesure.height"] = true),
    ["input", "/steps/build/inputs/variables/mesure.height", /no step 'mesure'/],
  ],
  [
    "an input that its step does not give",
    (d) => (d.steps.build.inputs.variables["measure.width"] = true),
    ["input", "/steps/build/inputs/variables/measure.width", /no field 'width'/],
  ],
  [
    "an input that can't come before",
    (d) => {
      d.steps.build.check.onFail = { retry: 0 };
      d.steps.build.output = { door: { type: "string" } };
      d.steps.measure.inputs = { variables: { "build.door": true } };
    },
    ["input", "/steps/measure/inputs/variables/build.door", /'build' can't come before step 'measure'/],
  ],
  [
    "a required input of the first step, that comes of a later one",
    (d) => {
      d.steps.build.output = { door: { type: "string" } };
      d.steps.measure.inputs = { variables: { "build.door": true } };
    },
    [
      "input",
      "/steps/measure/inputs/variables/build.door",
      /^'build.door' has no value yet when step 'measure' runs for the first time, which ends the run; set/,
    ],
  ],
  [
    "a required input of the first step, that comes of itself",
    (d) => (d.steps.measure.inputs = { variables: { "measure.height": true } }),
    ["input", "/steps/measure/inputs/variables/measure.height", /runs for the first time/],
  ],
  [
    "a required input of a step that is always come to before the one that gives it",
    (d) => {
      d.steps.paint = {
        prompt: { path: "prompts/measure.md" },
        output: { colour: { type: "string" } },
        check: { type: "output", onPass: "build" },
      };
      d.steps.build.check.onFail.then = "paint";
      d.steps.build.inputs.variables["paint.colour"] = true;
    },
    [
      "input",
      "/steps/build/inputs/variables/paint.colour",
      /has no value yet when step 'build' runs for the first time/,
    ],
  ],
  [
    "an input whose default is never used",
    (d) => (d.steps.build.inputs.variables["measure.height"] = { default: 1 }),
    [
      "input",
      "/steps/build/inputs/variables/measure.height",
      /never used, because its 'onMissing' is 'error'; set it to 'default'/,
    ],
  ],
  [
    "a default of an input that is skipped",
    (d) => (d.steps.build.inputs.variables["measure.unit"] = { required: false, default: 1, onMissing: "skip" }),
    ["input", "/steps/build/inputs/variables/measure.unit", /never used, because its 'onMissing' is 'skip'/],
  ],
  [
    "steps of inputs that are none, or named twice",
    (d) => Object.assign(d.steps.build.inputs, { from_step: "nope", from_steps: ["nada", "measure", "nada"] }),
    ["input", "/steps/build/inputs/from_step", /no step 'nope'/],
    ["input", "/steps/build/inputs/from_steps/0", /no step 'nada'/],
    ["input", "/steps/build/inputs/from_steps/2", /no step 'nada'/],
    ["input", "/steps/build/inputs/from_steps/2", /step 'nada' is named twice/],
  ],
  [
    "a step of inputs that is none, once for all of them",
    (d) =>
      Object.assign(d.steps.build.inputs, { from_step: "mesure", variables: { "measure.height": true, unit: true } }),
    ["input", "/steps/build/inputs/from_step", /no step 'mesure'/],
  ],
  [
    "an input without a step",
    (d) => (d.steps.build.inputs.variables["unit"] = true),
    ["input", "/steps/build/inputs/variables/unit", /names no step/],
  ],
  [
    "an input twice",
    (d) =>
      Object.assign(d.steps.build.inputs, {
        from_step: "measure",
        variables: { "measure.height": true, height: true },
      }),
    ["input", "/steps/build/inputs/variables/height", /an input twice/],
  ],
  [
    "an input that falls back on nothing",
    (d) => (d.steps.build.inputs.variables["measure.height"] = { onMissing: "default" }),
    ["input", "/steps/build/inputs/variables/measure.height", /no default/],
  ],
  [
    "a default of another type",
    (d) => (d.steps.measure.output.unit.default = 1),
    ["output", "/steps/measure/output/unit/default", /of type string/],
  ],
  [
    "a default that is never used",
    (d) => (d.steps.measure.output.height.default = 1),
    ["output", "/steps/measure/output/height/default", /never used/],
  ],
  [
    "no end",
    (d) => {
      d.steps.build.check.onPass = "measure";
      d.completion.max = 11;
    },
    ["endless", "/entryStep", /'complete' can't be reached from step 'measure'/],
  ],
  [
    "an end that is too far",
    (d) => {
      delete d.completion;
      d.limits.maxIterations = 1;
    },
    ["endless", "/limits/maxIterations", /'complete' takes 2 iterations, and the limit is 1; raise/],
  ],
  [
    "an end that only retries lead to, too far",
    (d) => {
      delete d.completion;
      d.steps.build.check = { type: "output", onPass: "measure", onFail: { retry: 9, then: "complete" } };
    },
    ["endless", "/limits/maxIterations", /'complete' takes 11 iterations/],
  ],
  [
    "an optional step that leads nowhere",
    (d) => (d.steps.measure = { prompt: d.steps.measure.prompt, output: d.steps.measure.output, optional: true }),
    ["optional", "/steps/measure/optional", /must lead to another step/],
    ["input", "/steps/build/inputs/variables/measure.height", /can't come before/],
  ],
  [
    "an engine without its command",
    (d) => (d.connection.fallback = ["command"]),
    ["connection", "/connection", /needs a 'command'/],
  ],
  [
    "a command that is never run",
    (d) => (d.connection.command = ["x"]),
    ["connection", "/connection/command", /never run/],
  ],
  ["an engine twice", (d) => (d.connection.fallback = ["claude"]), ["connection", "/connection/fallback", /twice/]],
  ["another major version", (d) => (d.version = "2.0"), ["version", "/version", /reads 1.x/]],
  ["a version that is none", (d) => (d.version = "one"), ["form", "/version", /must be like '1.0'/]],
  [
    "several mistakes at once",
    (d) => {
      d.name = 1;
      d.steps.measure.check.onPass = "x";
      d.steps.build.prompt = { c3l: "a/b/c" };
      d.colour = "red";
    },
    ["form", "/name", /./],
    ["unknown_key", "/colour", /./],
    ["transition", "/steps/measure/check/onPass", /./],
    ["prompt", "/steps/build/prompt", /./],
  ],
];
for (const [what, change, ...errors] of WRONG) {
  test(`validate() finds ${what}, and where`, async () => {
    const result = await problemsOf(change);
    expect(result.errors.map(([code, pointer]) => [code, pointer])).toEqual(
      errors.map(([code, pointer]) => [code, pointer]),
    );
    for (const [index, [, , message]] of errors.entries()) expect(result.errors[index]?.[2]).toMatch(message);
  });
}

test("data that is no table at all is an error, not an accident", async () => {
  using tree = tempTree({ "a/agent.json": "[1]" });
  const { valid, errors } = validate(await load((parse) => parse(), tree.path("a")));
  expect([valid, errors.map(({ rule }) => rule)]).toEqual([false, ["form"]]);
});

test("a step that no way leads to is a warning", async () => {
  const result = await problemsOf((d) => (d.steps.spare = { prompt: { path: "prompts/measure.md" } }));
  expect(result).toMatchObject({
    valid: true,
    errors: [],
    warnings: [["unreachable", "/steps/spare", expect.any(String)]],
  });
});

test("a variable whose step gives it a default always has a value", async () => {
  const result = await problemsOf((d) => {
    d.steps.build.inputs.variables["measure.height"] = false;
    Object.assign(d.steps.measure.output.height, { required: false, default: 3 });
  });
  expect(result).toMatchObject({ valid: true, warnings: [] });
});

test("a definition of too many steps is one error", async () => {
  const result = await problemsOf((d) => {
    for (let index = 0; index < 99; index++) d.steps[`more-${index}`] = { prompt: { path: "prompts/measure.md" } };
  });
  expect(result.errors).toEqual([["form", "/steps", "must be 100 at most"]]);
});

test("a completion that can come true ends a definition that leads nowhere else", async () => {
  const result = await problemsOf((d) => (d.steps.build.check.onPass = "measure"));
  expect(result.valid).toBe(true);
});

test("without a version it is 1.0", async () => {
  expect((await problemsOf((d) => delete d.version)).valid).toBe(true);
});

test("a newer minor version is a warning, and so are the keys that came with it", async () => {
  const result = await problemsOf((d) => {
    d.version = "1.7";
    d.steps.measure.mood = "good";
    d.steps.build.inputs.variables["measure.height"] = { required: true, mood: "good" };
  });
  expect(result).toMatchObject({
    valid: true,
    warnings: [
      ["version", "/version", expect.stringContaining("newer than 1.0")],
      ["unknown_key", "/steps/measure/mood", expect.any(String)],
      ["unknown_key", "/steps/build/inputs/variables/measure.height/mood", expect.any(String)],
    ],
  });
  expect(result.valid && "mood" in (result.validated.definition.steps["measure"] ?? {})).toBe(false);
});
