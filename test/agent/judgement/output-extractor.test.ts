import { expect, test } from "bun:test";
import { extractOutput } from "../../../src/agent/judgement/output-extractor.ts";
import { outputSchema } from "../../../src/agent/judgement/output-schema.ts";

const SCHEMA = outputSchema("measure", {
  height: { type: "number" },
  name: { type: "string", required: false },
  parts: { type: "array", required: false },
});

const FOUND: [what: string, response: string, data: object][] = [
  ["a fenced object", 'So:\n```json\n{"height": 3}\n```\nDone.', { height: 3 }],
  ["the last of several", '```json\n{"height": 1}\n```\n```json\n{"height": 2}\n```', { height: 2 }],
  ["the last that can be read", '```json\n{"height": 1}\n```\n```json\n{"height": \n```', { height: 1 }],
  ["the last that is an object", '```json\n{"height": 1}\n```\n```json\n[2]\n```', { height: 1 }],
  ["a fence without a language", '```\n{"height": 4}\n```', { height: 4 }],
  ["a longer, indented fence", '  ````JSON\n{"height": 4, "name": "```"}\n  ````', { height: 4, name: "```" }],
  ["a fence before the whole text", '```json\n{"height": 5}\n```\nheight: 6', { height: 5 }],
  ["a fence with Windows line ends", '```json\r\n{"height": 5}\r\n```\r\n', { height: 5 }],
  ["the whole text", ' {"height": 7, "more": 1}\n', { height: 7, more: 1 }],
  [
    "lines of the schema's fields",
    "The result\nheight: 8\nname: a tower: tall\nwidth: 2",
    { height: 8, name: "a tower: tall" },
  ],
  [
    "lines of a list, and JSON in them",
    '- height: 9\n* parts: [1, 2]\n- name: "quoted"',
    { height: 9, parts: [1, 2], name: "quoted" },
  ],
  ["the last line of a field", "height: 1\nheight: 2", { height: 2 }],
  [
    "no object with a number that is too large",
    '```json\n{"height": 3}\n```\n```json\n{"height": 1e999}\n```',
    { height: 3 },
  ],
  ["a line with a number that is too large, as it stands", "height: 1e999", { height: "1e999" }],
  ["a line that is of another type, as it stands", "height: tall", { height: "tall" }],
];
for (const [what, response, data] of FOUND) {
  test(`extractOutput() takes ${what}`, () => {
    expect(extractOutput(response, SCHEMA)).toEqual({ ok: true, data } as never);
  });
}

for (const response of [
  "",
  "nothing here",
  "```js\n{}\n```",
  "[1]",
  "null",
  "```json\n{\n",
  "width: 1",
  "the height: 3",
]) {
  test(`extractOutput() answers ExtractionFailed for ${JSON.stringify(response)}, and throws nothing`, () => {
    const result = extractOutput(response, SCHEMA);
    expect(result).toEqual({
      ok: false,
      errors: [{ code: "ExtractionFailed", message: expect.stringContaining("'measure'") }],
    });
  });
}
