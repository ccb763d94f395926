import { expect, test } from "bun:test";
import { disabledBy, withoutDisabled } from "../../src/skills/permissions.ts";

const LAYERS = [
  { source: "/home/u/.codelia/config.yaml", config: { skills: { disabled: ["one", "Two"] } } },
  { source: "/r/.codelia/config.json", config: { skills: { disabled: ["one", "ｔｈｒｅｅ"] } } },
  { source: "flags", config: {} },
];

const CASES: [name: string, source: string | undefined][] = [
  ["one", LAYERS[0]?.source],
  ["ONE", LAYERS[0]?.source],
  ["two", LAYERS[0]?.source],
  ["three", LAYERS[1]?.source],
  ["four", undefined],
  ["on", undefined],
];
for (const [name, source] of CASES) {
  test(`disabledBy() names ${source ?? "nothing"} for '${name}'`, () => {
    expect(disabledBy(LAYERS, name)).toBe(source);
  });
}

test("withoutDisabled() leaves out what is disabled in any letter case or width, and keeps the order", () => {
  const skills = ["four", "One", "TWO", "three", "five"].map((name) => ({ name }));
  const kept = withoutDisabled(skills, ["one", "Two", "ｔｈｒｅｅ"]);
  expect(kept.map(({ name }) => name)).toEqual(["four", "five"]);
  expect(withoutDisabled(skills, [])).toEqual(skills);
});
