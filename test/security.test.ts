import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./support/run-codelia.ts";

// A promise in SECURITY.md names the tests that hold it: `test/some.test.ts` (words of the test's name).

const REFERENCE = /`(test\/[^`]+\.test\.ts)`(?: \(([^)]+)\))?/g;
const text = readFileSync(join(REPOSITORY, "SECURITY.md"), "utf8");
const promises =
  /^## Promises\n([^]*?)^## /m
    .exec(text)?.[1]
    ?.split("\n")
    .filter((line) => line.startsWith("- ")) ?? [];

test("SECURITY.md makes promises", () => {
  expect(promises.length).toBeGreaterThan(10);
});

for (const promise of promises) {
  const name = /\*\*(.+?)\*\*/.exec(promise)?.[1] ?? promise;
  test(`SECURITY.md: '${name}' is held by tests that exist`, () => {
    const references = [...promise.matchAll(REFERENCE)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, path = "", words = ""] of references) {
      expect([path, existsSync(join(REPOSITORY, path))]).toEqual([path, true]);
      const source = readFileSync(join(REPOSITORY, path), "utf8");
      expect([words, source.includes(words)]).toEqual([words, true]);
    }
  });
}
