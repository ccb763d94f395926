import { expect, test } from "bun:test";
import fc from "fast-check";
import { stemOf } from "../../src/skills/stems.ts";

const families: string[][] = [
  ["release", "releases", "released", "releasing"],
  ["policy", "policies"],
  ["cache", "caches", "cached", "caching"],
  ["plan", "plans", "planned", "planning"],
  ["class", "classes"],
  ["test", "tests", "tested", "testing"],
  ["fill", "filled", "filling"],
];
for (const family of families) {
  test(`stemOf() gives ${family.join(", ")} one stem`, () => expect(new Set(family.map(stemOf)).size).toBe(1));
}

const strangers: [string, string][] = [
  ["organ", "organization"],
  ["universe", "university"],
  ["status", "state"],
  ["sing", "s"],
  ["redis", "red"],
  ["string", "str"],
  ["v2s", "v2"],
];
for (const [left, right] of strangers) {
  test(`stemOf() keeps ${left} and ${right} apart`, () => expect(stemOf(left)).not.toBe(stemOf(right)));
}

test("a word begins with its stem", () => {
  const words = fc.string({ unit: fc.constantFrom(..."aeiysngedtlz1"), maxLength: 12 });
  fc.assert(fc.property(words, (word) => word.startsWith(stemOf(word)) && (word === "" || stemOf(word) !== "")));
});
