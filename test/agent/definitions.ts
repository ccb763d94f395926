import type { Entry } from "../support/temp-tree.ts";

/** A definition that is right: what a test changes about it is what the test is about. */
export function rightDefinition(): Definition {
  return {
    version: "1.0",
    name: "improver",
    entryStep: "measure",
    completion: { type: "iterationBudget", max: 5 },
    limits: { maxIterations: 10 },
    connection: { engine: "claude" },
    steps: {
      measure: {
        prompt: { path: "prompts/measure.md" },
        output: { height: { type: "number" }, unit: { type: "string", required: false, default: "m" } },
        check: { type: "output", onPass: "build", onFail: { retry: 2 } },
      },
      build: {
        prompt: { c3l: "steps/build/house" },
        inputs: { variables: { "measure.height": true } },
        check: {
          type: "prompt",
          prompt: { path: "prompts/review.md" },
          onPass: "complete",
          onFail: { then: "measure" },
        },
      },
    },
  };
}

export const RIGHT_PROMPTS: Readonly<Record<string, Entry>> = {
  "prompts/measure.md": "Measure it.\n",
  "prompts/review.md": "Is it {uv-measure_height} high?\n",
  "prompts/steps/build/house/f_default.md": "Build it {uv-measure_height} high, as {uv-who} wants.\n",
};

// oxlint-disable-next-line typescript/no-explicit-any -- tests write wrong definitions
export type Definition = any;

/** Below a directory: the definition and its prompts. */
export function definitionFiles(
  within: string,
  definition: Definition,
  files: Readonly<Record<string, Entry>> = RIGHT_PROMPTS,
): Record<string, Entry> {
  const entries = Object.entries(files).map(([path, entry]): [string, Entry] => [`${within}/${path}`, entry]);
  return { [`${within}/agent.json`]: JSON.stringify(definition, undefined, 2), ...Object.fromEntries(entries) };
}
