import { expect, test } from "bun:test";
import { readLooseHeader } from "../../src/skills/header.ts";

const cases: [what: string, header: string, values: Record<string, string>][] = [
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
for (const [what, header, values] of cases) {
  test(`readLooseHeader() reads ${what}`, () => expect(readLooseHeader(header)).toEqual(values));
}
