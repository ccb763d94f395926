import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { load } from "../../../src/agent/configuration/load.ts";
import { ConfigurationError } from "../../../src/agent/errors.ts";
import { dir, tempTree, type Entry } from "../../support/temp-tree.ts";
import { definitionFiles, rightDefinition } from "../definitions.ts";

async function refusal(table: Record<string, Entry>, path = "a"): Promise<ConfigurationError> {
  using tree = tempTree(table);
  const error = await load(tree.path(path)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  return error as ConfigurationError;
}

test("load() gives what stands there, judges nothing and changes nothing", async () => {
  using tree = tempTree({ ...definitionFiles("a", { ...rightDefinition(), name: 3 }), link: { link: "a" } });
  const before = readdirSync(tree.root, { recursive: true });
  const loaded = await load(tree.path("link"));
  expect(loaded).toMatchObject({ directory: tree.path("a"), file: tree.path("a/agent.json"), data: { name: 3 } });
  expect(loaded.prompts.get("path:prompts/measure.md")).toMatchObject({ kind: "text", text: "Measure it.\n" });
  expect(readdirSync(tree.root, { recursive: true })).toEqual(before);
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

const UNREADABLE: [what: string, text: string, line: number, column: number][] = [
  ["half a table", '{\n  "name": "a",\n  "steps": {\n', 4, 1],
  ["a value that is none", '{\n  "name": nope\n}', 2, 11],
  ["a key that stands twice", '{ "name": "a",\n  "name": "b" }', 2, 3],
];
for (const [what, text, line, column] of UNREADABLE) {
  test(`load() answers ParseError with line and column for ${what}`, async () => {
    const error = await refusal({ "a/agent.json": text });
    expect(error.details).toMatchObject({ kind: "ParseError", line, column });
    expect(error.message).toContain(`line ${line}, column ${column}`);
  });
}

test("load() does not read a file that is too large", async () => {
  const error = await refusal({ "a/agent.json": `"${"x".repeat(256 * 1024)}"` });
  expect(error.details["kind"]).toBe("ParseError");
});
