import { expect, test } from "bun:test";
import { load } from "../../../src/agent/configuration/load.ts";
import { validate, type Rules } from "../../../src/agent/configuration/validate.ts";
import { tempTree, type Entry } from "../../support/temp-tree.ts";
import { definitionFiles, RIGHT_PROMPTS, rightDefinition, type Definition } from "../definitions.ts";

async function problemsOf(change: (definition: Definition) => void, files?: Record<string, Entry>, rules?: Rules) {
  const definition = rightDefinition();
  change(definition);
  using tree = tempTree(definitionFiles("a", definition, { ...RIGHT_PROMPTS, ...files }));
  const loaded = await load(tree.path("a"));
  const before = JSON.stringify(loaded.data);
  const result = validate(loaded, rules);
  expect(JSON.stringify(loaded.data)).toBe(before);
  expect(result.valid).toBe(result.errors.length === 0);
  for (const { file } of [...result.errors, ...result.warnings]) expect(file).toBe(tree.path("a/agent.json"));
  const shown = ({ code, pointer, message }: { code: string; pointer: string; message: string }) => [
    code,
    pointer,
    message,
  ];
  return { ...result, errors: result.errors.map(shown), warnings: result.warnings.map(shown) };
}

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
    ["form", "/steps/measure/output/$namespace", /'\$namespace' is reserved/],
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
    ["prompt", "/steps/build/check/prompt", /leads out/],
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
    ["endless", "/entryStep", /no way leads from step 'measure' to 'complete'/],
  ],
  [
    "an optional step that leads nowhere",
    (d) => (d.steps.measure = { prompt: d.steps.measure.prompt, output: d.steps.measure.output, optional: true }),
    ["optional", "/steps/measure/optional", /must lead on/],
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
  [
    "a misspelt engine, and what is named twice beside it",
    (d) => (d.connection = { engine: "claud", fallback: ["codex", "codex"] }),
    ["form", "/connection/engine", /./],
    ["connection", "/connection/fallback", /twice/],
  ],
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

test("validate() holds nothing against a definition that follows only from another mistake in it", async () => {
  const result = await problemsOf((d) => (d.steps.build.check.type = "wish"));
  expect(result.errors.map(([, pointer]) => pointer)).toEqual(["/steps/build/check/type"]);
});

test("data that is no table at all is an error, not an accident", async () => {
  using tree = tempTree({ "a/agent.json": "[1]" });
  const { valid, errors } = validate(await load(tree.path("a")));
  expect([valid, errors.map(({ code }) => code)]).toEqual([false, ["form"]]);
});

test("a step that no way leads to is a warning", async () => {
  const result = await problemsOf((d) => (d.steps.spare = { prompt: { path: "prompts/measure.md" } }));
  expect(result).toMatchObject({
    valid: true,
    errors: [],
    warnings: [["unreachable", "/steps/spare", expect.any(String)]],
  });
});

test("a variable that may have no value is a warning", async () => {
  const optional = (d: Definition) => {
    d.steps.build.inputs.variables["measure.height"] = false;
    d.steps.measure.output.height.required = false;
  };
  const result = await problemsOf(optional);
  const message = expect.stringContaining("has no value where its input is left out");
  expect(result).toMatchObject({
    valid: true,
    warnings: [
      ["variable", "/steps/build/prompt", message],
      ["variable", "/steps/build/check/prompt", message],
    ],
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

test("what is deprecated is a warning first, then an error", async () => {
  const use = (d: Definition) => Object.assign(d.steps.build.inputs, { from_step: "measure" });
  const entry = { name: "steps.*.inputs.from_step", since: "1.0", instead: "write 'step.field'" } as const;
  const warned = await problemsOf(use, {}, { deprecations: [{ ...entry, stage: "warning" }] });
  const problem = ["deprecated", "/steps/build/inputs/from_step", expect.stringContaining("write 'step.field'")];
  expect(warned).toMatchObject({ valid: true, warnings: [problem] });
  const refused = await problemsOf(use, {}, { deprecations: [{ ...entry, stage: "error" }] });
  expect(refused).toMatchObject({ valid: false, errors: [problem] });
  const unused = await problemsOf(() => {}, {}, { deprecations: [{ ...entry, stage: "error" }] });
  expect(unused.valid).toBe(true);
});
