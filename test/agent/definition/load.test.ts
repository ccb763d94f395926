import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { load } from "../../../src/agent/definition/load.ts";
import { ConfigurationError } from "../../../src/agent/errors.ts";
import { dir, tempTree, type Entry } from "../../support/temp-tree.ts";
import { definitionFiles, rightDefinition } from "../definitions.ts";

async function refusal(table: Record<string, Entry>, path = "a"): Promise<ConfigurationError> {
  using tree = tempTree(table);
  const error = await load((parse) => parse(), tree.path(path)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  return error as ConfigurationError;
}

test("load() gives what stands there, judges nothing and changes nothing", async () => {
  using tree = tempTree({ ...definitionFiles("a", { ...rightDefinition(), name: 3 }), link: { link: "a" } });
  const before = readdirSync(tree.root, { recursive: true });
  const loaded = await load((parse) => parse(), tree.path("link"));
  expect(loaded).toMatchObject({ directory: tree.path("a"), file: tree.path("a/agent.json"), data: { name: 3 } });
  expect(loaded.prompts.get("path:prompts/measure.md")).toMatchObject({ kind: "text", text: "Measure it.\n" });
  expect(readdirSync(tree.root, { recursive: true })).toEqual(before);
});

test("load() takes no notice of a byte order mark", async () => {
  using tree = tempTree({ "a/agent.json": '\uFEFF{ "name": "a" }' });
  expect((await load((parse) => parse(), tree.path("a"))).data).toEqual({ name: "a" });
});

const NOT_FOUND: [what: string, table: Record<string, Entry>][] = [
  ["a directory that is not there", {}],
  ["a directory without an agent.json", { "a/": dir }],
  ["a file in place of the directory", { a: "{}" }],
  ["an agent.json that is a directory", { "a/agent.json/": dir }],
  ["an agent.json that is a link", { "a/agent.json": { link: "../b.json" }, "b.json": "{}" }],
  ["an agent.json that is a FIFO", { "a/agent.json": { fifo: true } }],
];
for (const [what, table] of NOT_FOUND) {
  test(`load() answers NotFound for ${what}`, async () => {
    const error = await refusal(table);
    expect([error.details["kind"], error.recoverable]).toEqual(["NotFound", false]);
  });
}

const UNREADABLE: [what: string, text: string, line: number, column: number, reason: string][] = [
  ["an empty file", "", 1, 1, "it is empty; put {} into it"],
  ["a file with nothing but a byte order mark", "\uFEFF\n", 2, 1, "it is empty; put {} into it"],
  ["half a table", '{\n  "name": "a",\n  "steps": {\n', 4, 1, "missing '}'"],
  ["half a list", '["a"', 1, 5, "missing ']'"],
  ["a value that is none", '{\n  "name": nope\n}', 2, 11, "unexpected text; put keys and strings in double quotes"],
  ["no value", '{"name": }', 1, 10, "missing value"],
  ["a key without its quotes", "{ name: 1 }", 1, 3, "unexpected text"],
  ["a number for a key", "{ 1: 1 }", 1, 3, "missing key"],
  ["a key without a colon", '{ "name" 1 }', 1, 10, "missing colon"],
  ["two values without a comma", "[1 2]", 1, 4, "missing comma"],
  ["two tables", "{} {}", 1, 4, "unexpected text after the end"],
  ["a text without an end", '["a]', 1, 2, "the string is not closed"],
  ["a comment without an end", "{} /* x", 1, 4, "the comment is not closed"],
  ["half a number", "[1.]", 1, 2, "incomplete number"],
  ["half an escape", '["\\u12"]', 1, 2, "four hexadecimal digits"],
  ["a path with single backslashes", '["a\\b\\c"]', 1, 2, "write a backslash as"],
  ["a text of two lines", '["a\tb"]', 1, 2, "write it as an escape"],
  ["a key that stands twice", '{ "name": "a",\n  "name": "b" }', 2, 3, "duplicate key 'name'"],
];
for (const [what, text, line, column, reason] of UNREADABLE) {
  test(`load() answers ParseError with line, column and a sentence for ${what}`, async () => {
    const error = await refusal({ "a/agent.json": text });
    expect(error.details).toMatchObject({ kind: "ParseError", line, column });
    expect(error.message).toContain(`is not valid JSON: line ${line}, column ${column}: `);
    expect(error.message).toContain(reason);
  });
}

test("load() does not read a file that is too large", async () => {
  const error = await refusal({ "a/agent.json": `"${"x".repeat(256 * 1024)}"` });
  expect(error.details["kind"]).toBe("ParseError");
});
