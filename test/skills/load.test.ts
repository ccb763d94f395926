import { expect, test } from "bun:test";
import { isLoaded } from "../../src/skills/load.ts";

const cases: [name: string, loaded: Record<string, { mtimeMs: number; n: number }>, expected: boolean][] = [
  ["knows the same version", { "/s": { mtimeMs: 5, n: 3 } }, true],
  ["does not know another version", { "/s": { mtimeMs: 6, n: 3 } }, false],
  ["does not know what was loaded before a compaction", { "/s": { mtimeMs: 5, n: 0 } }, false],
  ["does not know another skill", { "/t": { mtimeMs: 5, n: 3 } }, false],
];
for (const [name, loadedSkills, expected] of cases) {
  test(`isLoaded() ${name}`, () => {
    const context = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills };
    expect(isLoaded(context, { path: "/s", mtimeMs: 5 })).toBe(expected);
  });
}

test("isLoaded() is not misled by a path called like a property of every object", () => {
  const context = { epoch: 0, coveredDirs: [], loadedVersions: {}, loadedSkills: {} };
  expect(isLoaded(context, { path: "constructor", mtimeMs: 5 })).toBe(false);
});
