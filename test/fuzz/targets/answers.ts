import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { createCompletion } from "../../../src/agent/judge/completion.ts";
import { extractOutput } from "../../../src/agent/judge/output.ts";
import { isOfType, outputSchema } from "../../../src/agent/judge/output.ts";
import { validateOutput } from "../../../src/agent/judge/output.ts";
import type { OutputFields } from "../../../src/agent/schema.ts";
import type { FuzzTarget } from "../lib/target.ts";

const FIELDS: OutputFields = Object.fromEntries<OutputFields[string]>([
  ["title", { type: "string", required: true }],
  ["count", { type: "number", required: false }],
  ["done", { type: "boolean", required: false }],
  ["tags", { type: "array", required: false }],
  ["more", { type: "object", required: false }],
  ["constructor", { type: "string", required: false }],
]);
const SCHEMA = outputSchema("step", FIELDS);

function isComplete(message: string): boolean {
  const judge = createCompletion({ type: "keywordSignal", keyword: "ALL_DONE" });
  return judge.check({ iteration: 1, message, carry: {} }).complete;
}

/** What a model answers: prose, fences, JSON, lines `field: value`. */
export const target: FuzzTarget = {
  read: (input) => [extractOutput(input, SCHEMA), isComplete(input)],
  check(input) {
    const extracted = extractOutput(input, SCHEMA);
    if (isComplete(input)) ok(input.includes("ALL_DONE"), "complete without the word");
    if (!extracted.ok) {
      deepStrictEqual(extracted.errors.map(({ code }) => code), ["ExtractionFailed"]);
      ok(extracted.errors[0]?.message.includes("'step'"), "an error that does not name the step");
      return;
    }
    equal(Object.getPrototypeOf(extracted.data), Object.prototype, "data with a prototype of its own");
    for (const strict of [false, true]) {
      const result = validateOutput(extracted.data, SCHEMA, { strict });
      if (!result.valid) {
        ok(result.errors.length > 0, "invalid without an error");
        continue;
      }
      for (const [name, value] of Object.entries(result.data)) {
        const field = FIELDS[name];
        ok(field !== undefined && isOfType(value, field.type), `'${name}' is not what it must be`);
      }
      deepStrictEqual(validateOutput(result.data, SCHEMA, { strict: true }), result, "judged again it is another");
      // What is taken out is what was written: as JSON in a fence it is found again.
      const fenced = extractOutput(`Done.\n\`\`\`json\n${JSON.stringify(extracted.data)}\n\`\`\`\n`, SCHEMA);
      deepStrictEqual(fenced, extracted, "written again it is another");
    }
  },
  words: ["```json\n", "\n```\n", '{"title":"x"}', '"title": "x"', "title: x\n", "count: 1\n", "- tags: [1]\n", "done: true\n", "ALL_DONE", "````", "```markdown\n", "~~~json\n", "\n~~~\n", "constructor: x\n", '"__proto__":'],
  parts: ["```", "```json\n", "~~~", "\n", "{", "}", '"', "title", ": ", "- ", " ", "\t", "a", "[", "]", '{"title":"a"}', "\\"],
  growth: [16_384, 65_536],
}; // prettier-ignore
