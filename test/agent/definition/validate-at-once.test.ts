import { expect, test } from "bun:test";
import type { Definition } from "../definitions.ts";
import { problemsOf } from "./problems-of.ts";

/** What stands beside a mistake is judged all the same. */
const BESIDE: [what: string, change: (definition: Definition) => void, ...pointers: string[]][] = [
  [
    "a misspelt key of a check: its prompt and its ways",
    (d) => (d.steps.build.check = { type: "prompt", prompt: { path: "prompts/no.md" }, onPass: "nope", onfail: {} }),
    "/steps/build/check/onfail",
    "/steps/build/check/onPass",
    "/steps/build/check/prompt",
  ],
  [
    "a way that is no name: the other way",
    (d) => (d.steps.build.check.onFail = { retry: -1, then: "nope" }),
    "/steps/build/check/onFail/retry",
    "/steps/build/check/onFail/then",
  ],
  [
    "a misspelt key of a prompt: the file",
    (d) => (d.steps.measure.prompt = { path: "prompts/no.md", edition: "x" }),
    "/steps/measure/prompt/edition",
    "/steps/measure/prompt",
  ],
  [
    "a misspelt key of an input: that one's step, and the others",
    (d) => (d.steps.build.inputs.variables = { "zzz.h": true, "yyy.k": { requird: true }, unit: true }),
    "/steps/build/inputs/variables/yyy.k/requird",
    "/steps/build/inputs/variables/unit",
    "/steps/build/inputs/variables/zzz.h",
    "/steps/build/inputs/variables/yyy.k",
  ],
  [
    "a bad name of an input: what it is",
    (d) => Object.assign(d.steps.build.inputs.variables, { "a b": { requird: true }, "zzz.h": true }),
    "/steps/build/inputs/variables/a b",
    "/steps/build/inputs/variables/a b/requird",
    "/steps/build/inputs/variables/zzz.h",
  ],
  [
    "a step of inputs that is no name: the others",
    (d) => (d.steps.build.inputs.from_steps = ["A b", "nope"]),
    "/steps/build/inputs/from_steps/0",
    "/steps/build/inputs/from_steps/1",
  ],
  [
    "a bad type of a field: another's default",
    (d) => {
      d.steps.measure.output.height.type = "nmber";
      d.steps.measure.output.unit.default = 1;
    },
    "/steps/measure/output/height/type",
    "/steps/measure/output/unit/default",
  ],
  [
    "a bad name of a field: what it is, and the others",
    (d) => Object.assign(d.steps.measure.output, { "a b": { type: "x" }, unit: { type: "string", default: "m" } }),
    "/steps/measure/output/a b",
    "/steps/measure/output/a b/type",
    "/steps/measure/output/unit/default",
  ],
  [
    "a bad name of a step: all that is in it",
    (d) =>
      (d.steps["A_b"] = {
        prompt: { path: "prompts/no.md" },
        mood: 1,
        output: { "a b": {} },
        check: { type: "output", onPass: "nope" },
      }),
    "/steps/A_b",
    "/steps/A_b/output/a b",
    "/steps/A_b/output/a b/type",
    "/steps/A_b/mood",
    "/steps/A_b/check/onPass",
    "/steps/A_b/prompt",
  ],
  [
    "a misspelt engine: those to fall back on",
    (d) => (d.connection = { engine: "claud", fallback: ["codex", "codex", "command"] }),
    "/connection/engine",
    "/connection",
    "/connection/fallback",
  ],
  [
    "a bad limit: the other",
    (d) => {
      delete d.completion;
      d.limits = { maxIterations: 1, maxRetries: -1 };
    },
    "/limits/maxRetries",
    "/limits/maxIterations",
  ],
];
for (const [what, change, ...pointers] of BESIDE) {
  test(`validate() looks beside ${what}`, async () => {
    const result = await problemsOf(change);
    expect(result.errors.map(([, pointer]) => pointer)).toEqual(pointers);
  });
}

const FOLLOWING: [what: string, change: (definition: Definition) => void, pointer: string][] = [
  ["a check of no type", (d) => (d.steps.build.check.type = "wish"), "/steps/build/check/type"],
  [
    "a step that is none",
    (d) => {
      delete d.completion;
      d.steps = { measure: "x" };
    },
    "/steps/measure",
  ],
  ["a step that gives what others take and is none", (d) => (d.steps.measure = 1), "/steps/measure"],
  ["steps that are none", (d) => (d.steps = []), "/steps"],
  [
    "a misspelt key of a field",
    (d) => (d.steps.measure.output.unit = { type: "string", requird: false, default: "m" }),
    "/steps/measure/output/unit/requird",
  ],
  [
    "a misspelt key of an input",
    (d) => (d.steps.build.inputs.variables["measure.height"] = { requird: false, default: 1 }),
    "/steps/build/inputs/variables/measure.height/requird",
  ],
  [
    "a misspelt from_step",
    (d) => Object.assign(d.steps.build.inputs, { form_step: "measure", variables: { height: true } }),
    "/steps/build/inputs/form_step",
  ],
  [
    "a bad field that the check's prompt names",
    (d) => {
      d.steps.build.output = { door: { type: "dor" } };
      d.steps.build.check.prompt.path = "prompts/door.md";
    },
    "/steps/build/output/door/type",
  ],
  [
    "a limit that is none",
    (d) => {
      d.steps.build.check.onPass = "measure";
      d.completion.max = 60;
      d.limits.maxIterations = "many";
    },
    "/limits/maxIterations",
  ],
  [
    "a misspelt engine that may be 'command'",
    (d) => (d.connection = { engine: "comand", command: ["x"] }),
    "/connection/engine",
  ],
];
for (const [what, change, pointer] of FOLLOWING) {
  test(`validate() holds nothing against a definition that follows only from ${what}`, async () => {
    const result = await problemsOf(change);
    expect(result.errors.map(([, place]) => place)).toEqual([pointer]);
    expect(result.warnings).toEqual([]);
  });
}
