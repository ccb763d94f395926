import { expect, test } from "bun:test";
import { extractOutput } from "../../../src/agent/judge/output.ts";
import { outputSchema } from "../../../src/agent/judge/output.ts";

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
  [
    "a real fence after one that is quoted in another",
    '```markdown\nWrite:\n```json\n{"height": 1}\n```\n```\nSo:\n```json\n{"height": 2}\n```',
    { height: 2 },
  ],
  [
    "a real fence before one that is quoted in another",
    '```json\n{"height": 2}\n```\n```markdown\n```json\n{"height": 1}\n```\n```\nBye.',
    { height: 2 },
  ],
  [
    "a real fence after a closer that opens nothing",
    '```json\n{"height": 1}\n```\n```\nSo:\n```json\n{"height": 2}\n```',
    { height: 2 },
  ],
  [
    "a real fence after one that is quoted by a longer one, whose own is not read",
    '```json\n{"height": 2}\n```\n````markdown\n```json\n{"height": 1}\n```\n````',
    { height: 2 },
  ],
  [
    "a fence in another, where there is none besides",
    '```markdown\nHere:\n```json\n{"height": 3}\n```\n```',
    { height: 3 },
  ],
  ["a fence that is left open at the end", 'So:\n```json\n{"height": 3}\n', { height: 3 }],
  ["a fence of tildes", '~~~json\n{"height": 3}\n~~~', { height: 3 }],
  [
    "a fence of tildes with backticks in it",
    '~~~~ JSON\n{"height": 3, "name": "```"}\n~~~~',
    { height: 3, name: "```" },
  ],
  ["no object that stands behind a fence", '```json\n{"height": 1}\n```\n{"height": 2}\n', { height: 1 }],
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

test("extractOutput() takes no longer than in proportion, whatever the fences", () => {
  const many = 200_000;
  for (const text of [
    "```json\n".repeat(many),
    "```\n".repeat(many),
    "```json\n{\n".repeat(many),
    `\`\`\`${" ".repeat(5 * many)}\``,
    `${"`".repeat(5 * many)}x\``,
    "`".repeat(5 * many),
    `~~~${" ".repeat(5 * many)}\n`,
    "````markdown\n```json\n".repeat(many),
  ]) {
    const before = performance.now();
    extractOutput(text, SCHEMA);
    expect(performance.now() - before).toBeLessThan(5000);
  }
});

for (const response of [
  "",
  "nothing here",
  "```js\n{}\n```",
  "~~~js\n{}\n~~~",
  '````\n```json\n{"height": 1}\n```\n````',
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
