import { expect, test } from "bun:test";
import { agentScene, resultOf, type AgentScene, type ModelScript } from "../agent/agent-scene.ts";
import type { Definition } from "../agent/definitions.ts";
import { runCodelia } from "../support/run-codelia.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";
import { treeEntries } from "../support/tree-entries.ts";

// The contracts of agent definitions, with `agent validate` and `agent run` on the built binary. The engine is a program
// that prints scripted answers.

interface Played {
  readonly scene: AgentScene;
  // oxlint-disable-next-line typescript/no-explicit-any -- what is printed is what is tested
  readonly result: any;
  readonly exitCode: number;
  /** The output of each step, from the run's record. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  [Symbol.dispose](): void;
}

const PROMPTS: Readonly<Record<string, Entry>> = { "a.md": "Do a.\n", "b.md": "Do b.\n", "c.md": "Do c.\n" };

function play(definition: Definition, script: ModelScript, prompts = PROMPTS): Played {
  const scene = agentScene(definition, prompts, script);
  const run = scene.run(["agent", "run", "agent", "--json"]);
  const { runs } = JSON.parse(scene.run(["agent", "status", "--json"]).stdout);
  return {
    scene,
    result: resultOf(run),
    exitCode: run.exitCode,
    outputs: runs[0]?.outputs ?? {},
    [Symbol.dispose]: () => scene[Symbol.dispose](),
  };
}

const prompt = (name: string) => ({ prompt: { path: `${name}.md` } });
const LIMITS = { maxRetries: 0, timeoutMs: 20_000 };

/** A definition of one step that is complete when it gives this output. */
function giving(output: object, more: object = {}): Definition {
  const a = { ...prompt("a"), output, ...more, check: { type: "output", onPass: "complete" } };
  return { name: "giving", entryStep: "a", limits: LIMITS, steps: { a } };
}

/** One whose second step's prompt has variables. */
function handing(output: object, inputs: object): Definition {
  const steps = {
    a: { ...prompt("a"), output, check: { type: "output", onPass: "b" } },
    b: { ...prompt("b"), inputs, check: { type: "output", onPass: "complete" } },
  };
  return { name: "handing", entryStep: "a", limits: LIMITS, steps };
}

/** A step that repeats until the completion ends the run. */
function until(completion: object, limits: object = {}): Definition {
  return { name: "until", entryStep: "a", completion, limits: { ...LIMITS, ...limits }, steps: { a: prompt("a") } };
}

const SIZE = { size: { type: "number" } };

const ANSWERS: readonly (readonly [what: string, answer: string, size: number | undefined])[] = [
  ["a fenced object", 'It is:\n```json\n{ "size": 1 }\n```\nas asked.', 1],
  ["the last of several fences", '```json\n{ "size": 1 }\n```\n```json\n{ "size": 2 }\n```', 2],
  ["a fence before the text as a whole", '```json\n{ "size": 1 }\n```\nsize: 3', 1],
  ["the text as a whole", '{ "size": 4 }', 4],
  ["lines of keys", "Here it is.\nsize: 5\nother: 6", 5],
  ["nothing", "I have no idea.", undefined],
];

for (const [what, answer, size] of ANSWERS) {
  test(`an output is read from ${what}`, () => {
    using played = play(giving(SIZE), [["Do a.", answer]]);
    expect(played.result.success).toBe(size !== undefined);
    expect(played.outputs).toEqual(size === undefined ? {} : { a: { size } });
    if (size === undefined) expect(played.result.error).not.toBe("");
  });
}

const FIELDS = {
  text: { type: "string", required: false },
  count: { type: "number", required: false },
  yes: { type: "boolean", required: false },
  table: { type: "object", required: false },
  list: { type: "array", required: false },
  unit: { type: "string", required: false, default: "m" },
};
const VALIDATED: readonly (readonly [what: string, output: object, given: object, kept: Readonly<Record<string, unknown>> | undefined])[] = [
  ["a required field that is missing", SIZE, {}, undefined],
  ["a required field, which is one without 'required'", SIZE, { size: 1 }, { size: 1 }],
  ["a number as text", SIZE, { size: "1" }, undefined],
  ["a text as number", FIELDS, { text: 1 }, undefined],
  ["a number as truth", FIELDS, { yes: 1 }, undefined],
  ["a list as table", FIELDS, { table: [] }, undefined],
  ["a table as list", FIELDS, { list: {} }, undefined],
  ["null", FIELDS, { text: null }, undefined],
  ["each of the types", FIELDS, { text: "t", count: 1.5, yes: false, table: {}, list: [] }, { text: "t", count: 1.5, yes: false, table: {}, list: [], unit: "m" }],
  ["nothing but the default", FIELDS, {}, { unit: "m" }],
  ["a further field", SIZE, { size: 1, other: 2 }, { size: 1 }],
]; // prettier-ignore

for (const [what, output, given, kept] of VALIDATED) {
  test(`an output with ${what}`, () => {
    using played = play(giving(output), [["Do a.", JSON.stringify(given)]]);
    expect(played.result.success).toBe(kept !== undefined);
    const expected: Played["outputs"] = kept === undefined ? {} : { a: kept };
    expect(played.outputs).toEqual(expected);
  });
}

test("a strict step takes no further field", () => {
  using played = play(giving(SIZE, { strict: true }), [["Do a.", '{ "size": 1, "other": 2 }']]);
  expect(played.result).toMatchObject({ success: false, error: expect.stringContaining("other") });
});

test("a field can't be called $namespace, which is the step's own name", () => {
  const valid = { name: "x", entryStep: "a", steps: { a: { ...prompt("a"), output: { $namespace: "a", ...SIZE } } } };
  using tree = tempTree({ "agent/a.md": "Do a.\n" });
  const validate = (output: object) => {
    const definition = {
      ...valid,
      completion: { type: "iterationBudget", max: 1 },
      steps: { a: { ...prompt("a"), output } },
    };
    tree.write("agent/agent.json", JSON.stringify(definition));
    return runCodelia(["agent", "validate", "agent"], { cwd: tree.root, home: tree.path("home") }).exitCode;
  };
  expect(validate({ $namespace: "a", ...SIZE })).toBe(0);
  expect(validate({ $namespace: "b", ...SIZE })).toBe(3);
  expect(validate({ $namespace: { type: "string" }, ...SIZE })).toBe(3);
});

const OPTIONAL = { size: { type: "number", required: false }, parts: { type: "array", required: false } };
const HANDED: readonly (readonly [what: string, given: object, inputs: object, text: string, prompt: string | RegExp])[] = [
  ["stepId.key as uv-stepId_key", { size: 7 }, { variables: { "a.size": true } }, "{uv-a_size}", "7"],
  ["a list as JSON", { parts: [1, { b: "x" }] }, { variables: { "a.parts": true } }, "{uv-a_parts}", '[1,{"b":"x"}]'],
  ["one of from_step", { size: 7 }, { from_step: "a", variables: { size: true } }, "{uv-a_size}", "7"],
  ["one of from_steps", { size: 7 }, { from_steps: ["a"], variables: { size: true } }, "{uv-a_size}", "7"],
  ["a missing one that is required", {}, { variables: { "a.size": true } }, "{uv-a_size}", /a\.size/],
  ["a missing one that is required by default", {}, { variables: { "a.size": {} } }, "{uv-a_size}", /a\.size/],
  ["a missing one with a default, if that is asked for", {}, { variables: { "a.size": { default: 8, onMissing: "default" } } }, "{uv-a_size}", "8"],
  ["a missing one that need not be there, by its default", {}, { variables: { "a.size": { required: false, default: 9 } } }, "{uv-a_size}", "9"],
  ["a missing one that is skipped", {}, { variables: { "a.size": { onMissing: "skip" } } }, "none", "none"],
]; // prettier-ignore

for (const [what, given, inputs, text, expected] of HANDED) {
  test(`a step is handed ${what}`, () => {
    const prompts = { ...PROMPTS, "b.md": `Do b with ${text}.\n` };
    const script: ModelScript = [
      ["Do a.", JSON.stringify(given)],
      ["Do b", "done"],
    ];
    using played = play(handing(OPTIONAL, inputs), script, prompts);
    if (typeof expected === "string") {
      expect(played.result.success).toBe(true);
      expect(played.scene.prompts()[1]).toContain(`Do b with ${expected}.`);
    } else {
      expect(played.result).toMatchObject({ success: false, error: expect.stringMatching(expected) });
      expect(JSON.stringify(played.result)).toContain("MissingRequiredInput");
      expect(played.scene.prompts()).toHaveLength(1);
    }
  });
}

test("a step that runs again overwrites what it gave", () => {
  const definition = handing(OPTIONAL, { variables: { "a.size": true } });
  definition.steps.b.output = { ok: { type: "boolean" } };
  definition.steps.b.check = { type: "output", onPass: "complete", onFail: { retry: 0, then: "a" } };
  using played = play(
    definition,
    [
      ["Do a.", '{ "size": 1, "parts": [1] }'],
      ["Do b with 1", "not so"],
      ["Do a.", '{ "size": 2 }'],
      ["Do b with 2", '{ "ok": true }'],
    ],
    { ...PROMPTS, "b.md": "Do b with {uv-a_size}.\n" },
  );
  expect(played.result).toMatchObject({ success: true, iterations: 4 });
  expect(played.outputs).toEqual({ a: { size: 2 }, b: { ok: true } });
});

const budget = (max: number) => ({ type: "iterationBudget", max });
const KEYWORD = { type: "keywordSignal", keyword: "DONE" };
const composite = (mode: string, ...conditions: object[]) => ({ type: "composite", mode, conditions });

const COMPLETIONS: readonly (readonly [what: string, completion: object, answers: readonly string[]])[] = [
  ["a budget of one", budget(1), ["first"]],
  ["a budget of three", budget(3), ["first", "second", "third"]],
  ["a keyword", KEYWORD, ["I will say DONE later.", "All is well.\nDONE"]],
  ["any of several: the keyword", composite("any", budget(3), KEYWORD), ["first", "DONE"]],
  ["any of several: the budget", composite("any", KEYWORD, budget(2)), ["first", "second"]],
  ["all of several", composite("all", budget(2), KEYWORD), ["DONE", "not yet", "DONE"]],
  ["all of several within any", composite("any", composite("all", KEYWORD, budget(9)), budget(2)), ["DONE", "second"]],
];

for (const [what, completion, answers] of COMPLETIONS) {
  test(`a run is complete by ${what}`, () => {
    const script = [...answers, "one too many"].map((answer) => ["Do a.", answer] as const);
    using played = play(until(completion), script);
    expect(played.exitCode).toBe(0);
    expect(played.result).toMatchObject({ success: true, iterations: answers.length });
    expect(played.result.completionReason).not.toBe("");
    expect(played.result.summaries).toHaveLength(answers.length);
  });
}

test("a failed result has an error, and a summary for each iteration", () => {
  const script: ModelScript = [
    ["Do a.", "first"],
    ["Do a.", 4],
  ];
  using played = play(until(KEYWORD, { maxIterations: 5 }), script);
  expect(played.exitCode).toBe(1);
  expect(played.result).toMatchObject({ success: false, iterations: 2, error: expect.stringContaining("exit code 4") });
  expect(played.result.summaries).toHaveLength(2);
});

test("a failed check repeats its step as often as it may, then leads where it says, and a passed one to the next", () => {
  const definition = {
    name: "flow",
    entryStep: "a",
    limits: LIMITS,
    steps: {
      a: { ...prompt("a"), output: SIZE, check: { type: "output", onPass: "c", onFail: { retry: 1, then: "b" } } },
      b: { ...prompt("b"), check: { type: "output", onPass: "a" } },
      c: { ...prompt("c"), check: { type: "output", onPass: "complete" } },
    },
  };
  using played = play(definition, [
    ["Do a.", "no"],
    ["Do a.", "no again"],
    ["Do b.", "better"],
    ["Do a.", '{ "size": 1 }'],
    ["Do c.", "done"],
  ]);
  expect(played.result.success).toBe(true);
  const steps = played.result.summaries.map(
    ({ step, passed }: { step: string; passed: boolean }) => `${step} ${passed}`,
  );
  expect(steps).toEqual(["a false", "a false", "b true", "a true", "c true"]);
});

test("a check by prompt is asked of the engine, and decides by its answer", () => {
  const a = { ...prompt("a"), check: { type: "prompt", prompt: { path: "b.md" }, onPass: "complete" } };
  const definition = { name: "review", entryStep: "a", limits: { ...LIMITS, maxRetries: 1 }, steps: { a } };
  using played = play(definition, [
    ["Do a.", "first"],
    ["Do b.", '{ "pass": false, "reason": "too short" }'],
    ["Do a.", "second"],
    ["Do b.", '{ "pass": true, "reason": "good" }'],
  ]);
  expect(played.result).toMatchObject({ success: true, iterations: 2 });
  expect(played.scene.prompts()[2]).toContain("too short");
});

const C3L: readonly (readonly [reference: string, file: string])[] = [
  ["x/y/z", "prompts/x/y/z/f_default.md"],
  ["x/y/z/short", "prompts/x/y/z/f_short.md"],
  ["x/y/z/short/strict", "prompts/x/y/z/f_short_strict.md"],
];

for (const [reference, file] of C3L) {
  test(`the prompt ${reference} is ${file}`, () => {
    const steps = { a: { prompt: { c3l: reference }, check: { type: "output", onPass: "complete" } } };
    const definition = { name: "c3l", entryStep: "a", limits: LIMITS, steps };
    using played = play(definition, [["Found", "done"]], { [file]: "Found.\n" });
    expect(played.result.success).toBe(true);
  });
}

const PROBLEMS: readonly (readonly [what: string, change: (definition: Definition) => void, code: string | undefined])[] = [
  ["nothing wrong", () => {}, undefined],
  ["no version", (d) => delete d.version, undefined],
  ["a later minor version", (d) => (d.version = "1.9"), undefined],
  ["another major version", (d) => (d.version = "2.0"), "version"],
  ["a prompt that is not there", (d) => (d.steps.a.prompt = { path: "none.md" }), "prompt"],
  ["a prompt that is blank", (d) => (d.steps.a.prompt = { path: "blank.md" }), "prompt"],
  ["a prompt outside", (d) => (d.steps.a.prompt = { path: "../outside.md" }), "prompt"],
  ["a way to no step", (d) => (d.steps.a.check.onPass = "z"), "transition"],
  ["an input that no step gives", (d) => (d.steps.a.inputs = { variables: { "b.size": true } }), "input"],
  ["no step that is the entry", (d) => (d.entryStep = "z"), "entry"],
]; // prettier-ignore

for (const [what, change, code] of PROBLEMS) {
  test(`validate: ${what}`, () => {
    const definition: Definition = { version: "1.0", ...giving(SIZE) };
    change(definition);
    using tree = tempTree({
      "agent/agent.json": JSON.stringify(definition),
      "agent/a.md": "Do a.\n",
      "agent/blank.md": " \n",
      "outside.md": "Outside.\n",
    });
    const options = { cwd: tree.root, home: tree.path("home") };
    const { stdout, exitCode } = runCodelia(["agent", "validate", "agent", "--json"], options);
    const { valid, errors } = JSON.parse(stdout);
    expect({ valid, exitCode }).toEqual(
      code === undefined ? { valid: true, exitCode: 0 } : { valid: false, exitCode: 3 },
    );
    expect(valid).toBe(errors.length === 0);
    if (code !== undefined) expect(errors.map((error: { code: string }) => error.code)).toContain(code);
  });
}

test("validate only reads, and says the same twice", () => {
  using tree = tempTree({ "agent/agent.json": JSON.stringify(giving(SIZE)), "agent/a.md": "Do a.\n" });
  using home = tempTree();
  const changed = () => [...treeEntries(tree.root)].map(([path, { mtimeMs, ctimeMs }]) => [path, mtimeMs, ctimeMs]);
  const before = changed();
  const options = { cwd: tree.root, home: home.root };
  const first = runCodelia(["agent", "validate", "agent", "--json"], options);
  expect(runCodelia(["agent", "validate", "agent", "--json"], options)).toEqual(first);
  expect(changed()).toEqual(before);
});
