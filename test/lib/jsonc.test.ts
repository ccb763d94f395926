import { expect, test } from "bun:test";
import { locateJsonc, parseJsonc, strictJson } from "../../src/lib/jsonc.ts";

const READ: [what: string, text: string, data: unknown][] = [
  ["every kind of value", '{"a":[1,-1.5e3,"x",true,false,null,{}]}', { a: [1, -1500, "x", true, false, null, {}] }],
  ["comments", '// a\n{ /* b */ "a": 1, // c\n "b": 2 /* d */ }\n// e', { a: 1, b: 2 }],
  ["trailing commas", '{"a": [1, 2,], "b": {"c": 1,},}', { a: [1, 2], b: { c: 1 } }],
  ["escapes", String.raw`{"\u0061\n": "\"\\\/\u00e9"}`, { "a\n": '"\\/é' }],
  ["names of every object's properties", '{"constructor": 1, "toString": 2}', { constructor: 1, toString: 2 }],
  ["one key in two tables", '{"a": {"x": 1}, "b": {"x": 1}}', { a: { x: 1 }, b: { x: 1 } }],
  ["null", "null", null],
  ["64 lists in each other", `${"[".repeat(64)}${"]".repeat(64)}`, expect.anything()],
];
for (const [what, text, data] of READ) {
  test(`parseJsonc() reads ${what}`, () => {
    expect(parseJsonc(text)).toEqual({ kind: "data", data });
  });
}

const REFUSED: [what: string, text: string, line: number, message: RegExp][] = [
  ["an empty file", "", 1, /^it is empty/],
  ["only a comment", "// x\n", 2, /^missing value/],
  ["a key that stands twice", '{"a": 1,\n"b": 2,\n"a": 3}', 3, /^duplicate key 'a'$/],
  ["a key that stands twice deeper", '{"x": [{"a": 1, "a": 1}]}', 1, /^duplicate key 'a'/],
  ["a key that stands twice, once escaped", String.raw`{"a": 1, "\u0061": 2}`, 1, /^duplicate key 'a'/],
  ["the key '__proto__'", '{\n"__proto__": {"a": 1}}', 2, /^the key '__proto__' is not allowed$/],
  ["the key '__proto__', escaped", String.raw`{"__pr\u006fto__": 1}`, 1, /'__proto__' is not allowed/],
  ["a key without a value", '{\n"a"}', 2, /^missing colon/],
  ["a key without quotes", "{a: 1}", 1, /^unexpected text; put keys/],
  ["quotes of the other kind", "{'a': 1}", 1, /in double quotes$/],
  ["two values", "{}\n{}", 2, /^unexpected text after the end/],
  ["a table that is not closed", '{"a": 1\n', 2, /^missing '}'$/],
  ["a text that is not closed", '{"a": "x\n}', 1, /^the string is not closed/],
  ["a comment that is not closed", '{"a": 1} /* x', 1, /^the comment is not closed/],
  ["a number that is none", '{"a": NaN}', 1, /^unexpected text/],
  ["65 lists in each other", `${"[".repeat(65)}${"]".repeat(65)}`, 1, /nested too deeply/],
  ["many tables in each other", '{"a":'.repeat(10_000), 1, /nested too deeply/],
];
for (const [what, text, line, message] of REFUSED) {
  test(`parseJsonc() refuses ${what}`, () => {
    expect(parseJsonc(text)).toEqual({
      kind: "error",
      line,
      column: expect.any(Number),
      message: expect.stringMatching(message),
    });
  });
}

// 40,000 brackets are in reach of the 64 KiB that a clone's config may have.
const DEEP = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const UNDONE: [where: string, text: string][] = [
  ["before it", `${"]".repeat(20_000)}${DEEP}`],
  ["in a comment", `// ${"}".repeat(20_000)}\n${DEEP}`],
  ["in a text", `["${"]".repeat(20_000)}", ${DEEP}]`],
];
for (const [where, text] of UNDONE) {
  test(`parseJsonc() refuses deep nesting when closing brackets ${where} would make up for it`, () => {
    expect(parseJsonc(text)).toMatchObject({ kind: "error", message: "nested too deeply" });
  });
}

test("locateJsonc() gives up on deep nesting, whatever is asked before it", () => {
  expect([locateJsonc(DEEP), locateJsonc("[".repeat(200_000)), locateJsonc("[]")?.kind]).toEqual([
    undefined,
    undefined,
    "list",
  ]);
});

const STRICT: [what: string, text: string, strict: string][] = [
  ["a comment behind a value", '{\n  "a": 1, // mine\n  "b": 2\n}\n', '{\n  "a": 1,\n  "b": 2\n}\n'],
  ["a comment on lines of its own", '{\n  /* one\n     two */\n  "a": 1\n}\n', '{\n  "a": 1\n}\n'],
  ["comments before and behind all", '// a\n{ "a": 1 }\n// b', '{ "a": 1 }\n'],
  ["trailing commas", '{ "a": [1, 2,], "b": { "c": 1, }, }', '{ "a": [1, 2], "b": { "c": 1 } }'],
  ["a trailing comma before a comment", "[\n  1, // one\n]\n", "[\n  1\n]\n"],
  ["line ends of Windows", '{\r\n  // mine\r\n  "a": 1,\r\n}\r\n', '{\r\n  "a": 1\r\n}\r\n'],
  ["several comments in one line", '{ /* a */ /* b */ "a": 1 /* c */ }', '{ "a": 1 }'],
  ["what only looks like them", '{ "a": "// x, }", "b": "/* ,] */" }', '{ "a": "// x, }", "b": "/* ,] */" }'],
];
test.each(STRICT)("strictJson() takes out %s", (_, text, strict) => {
  expect(strictJson(text)).toBe(strict);
  expect(parseJsonc(text)).toEqual({ kind: "data", data: JSON.parse(strict) });
});
