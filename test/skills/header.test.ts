import { describe, expect, test } from "bun:test";
import { MAX_HEADER_BYTES, readPlainHeader, splitHeader, readLooseHeader } from "../../src/skills/header.ts";

describe("splitHeader()", () => {
  const header = (text: string) => ({ kind: "header", header: text });
  const cases: [name: string, text: string, expected: unknown][] = [
    ["takes what stands between the lines", "---\nname: a\n---\nbody", header("name: a")],
    ["needs no body", "---\nname: a\n---", header("name: a")],
    ["ends at the first end", "---\na: 1\n---\nb\n---\n", header("a: 1")],
    ["passes over a byte order mark", "\uFEFF---\na: 1\n---\n", header("a: 1")],
    ["knows CRLF", "---\r\na: 1\r\nb: 2\r\n---\r\nbody", header("a: 1\r\nb: 2")],
    ["passes over blanks after the dashes", "--- \t\na: 1\n---  \n", header("a: 1")],
    ["knows an empty header", "---\n---\nbody", header("")],
    ["knows an empty header with CRLF", "---\r\n---\r\n", header("")],
    ["does not end at four dashes", "---\na: 1\n----\n---\n", header("a: 1\n----")],
    ["does not end at indented dashes", "---\na: |\n  ---\n---\n", header("a: |\n  ---")],
    ["misses a header that begins late", "\n---\na: 1\n---\n", { kind: "missing" }],
    ["misses one in a plain text", "# Title\n", { kind: "missing" }],
    ["misses one in an empty file", "", { kind: "missing" }],
    ["reports one without end", "---\na: 1\n", { kind: "unterminated" }],
    ["reports one that only begins", "---\n", { kind: "unterminated" }],
    ["reports one that is too large", `---\n${"a".repeat(MAX_HEADER_BYTES + 1)}\n---\n`, { kind: "too-large" }],
    ["takes the largest", `---\n${"a".repeat(MAX_HEADER_BYTES)}\n---\n`, header("a".repeat(MAX_HEADER_BYTES))],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => expect(splitHeader(text, true) as unknown).toEqual(expected));
  }

  test("calls a header too large when the part that was read has no end", () => {
    expect(splitHeader("---\na: 1\n", false)).toEqual({ kind: "too-large" });
    expect(splitHeader("---\na: 1\n---", false)).toEqual({ kind: "too-large" });
    expect(splitHeader("---\na: 1\n---\nb", false)).toEqual({ kind: "header", header: "a: 1" });
    expect(splitHeader("---\na: 1\n---\n", false)).toEqual({ kind: "header", header: "a: 1" });
  });
});

describe("readPlainHeader()", () => {
  const accepted: [header: string, data: Record<string, string>][] = [
    ["name: a\ndescription: Does b, c (d)", { name: "a", description: "Does b, c (d)" }],
    ["name:   a   \r\n\r\nlicense: MIT", { name: "a", license: "MIT" }],
    ["version: 1.0.0", { version: "1.0.0" }],
    ["description: see https://x.y/z#a", { description: "see https://x.y/z#a" }],
    ["allowed-tools: Bash(git:*) Read", { "allowed-tools": "Bash(git:*) Read" }],
    ["description: 日本語の説明", { description: "日本語の説明" }],
  ];
  for (const [header, data] of accepted) {
    test(`accepts ${JSON.stringify(header)}`, () => expect(readPlainHeader(header)).toEqual(data));
  }

  const refused = [
    "", "\n", "name:", "name: 'a'", 'name: "a"', "name: 1", "version: 1.0", "a: true", "a: ~", "a: x: y", "a: x:", "a: x #y",
    "# comment", "a: |\n  b", "a: b\n  c", "a: [b]", "a: {b: c}", "a: &b c", "a: *b", "a: !b c", "a: - b", "a: @b", "a: `b",
    "a: %b", "a: b\na: c", "a:\tb", "a: b\tc", "metadata:\n  author: x", "true: b", "<<: a", "a: b\rc", "a: b\u2028c", "a: \u00A0b",
    `a: b${"[".repeat(17)}`, `a: ${"b{ ".repeat(9)}\nb: ${"c[ ".repeat(9)}`,
  ]; // prettier-ignore
  for (const header of refused) {
    test(`leaves ${JSON.stringify(header)} to the YAML parser`, () => expect(readPlainHeader(header)).toBeUndefined());
  }

  test("leaves a key of more than 1,024 characters to the YAML parser, which refuses it", () => {
    expect(readPlainHeader(`${"k".repeat(1025)}: text`)).toBeUndefined();
  });

  test("takes no time over a long run of spaces", () => {
    const startedAt = performance.now();
    readPlainHeader(`a: b${" ".repeat(200_000)}c`);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

const LOOSE: [what: string, header: string, values: Record<string, string>][] = [
  ["colons in a text", "name: a\ndescription: Use when: x: y", { name: "a", description: "Use when: x: y" }],
  ["a hash in a text", "description: Fix issue #7: now", { description: "Fix issue #7: now" }],
  ["text that is indented below", "description: one\n  two: three\n  four", { description: "one two: three four" }],
  ["text below that is not indented", "description: one\ntwo: x\nthree\n# no", { description: "one", two: "x three" }],
  ["a folded block", "description: >-\n  one\n  two: x", { description: "one two: x" }],
  ["a literal block", "description: |\n  one\n  two: x", { description: "one\ntwo: x" }],
  ["quotes around a text", `name: "a"\ndescription: 'b: c'`, { name: "a", description: "b: c" }],
  ["the first of two lines with one key", "name: a\nname: b\n  c", { name: "a" }],
  ["carriage returns", "name: a\r\ndescription: b: c\r\n", { name: "a", description: "b: c" }],
  ["nothing in what is no header", "- a\n  b\n[c]", {}],
  ["keys of every object as their own", "constructor: a: b\ntoString: c", { constructor: "a: b", toString: "c" }],
];
for (const [what, header, values] of LOOSE) {
  test(`readLooseHeader() reads ${what}`, () => expect(readLooseHeader(header)).toEqual(values));
}
