import { expect, test } from "bun:test";
import { DEPRECATIONS, findDeprecated, stageIn } from "../../../src/agent/definition/version.ts";

test("each entry of the table is at the stage that the format's version asks for", () => {
  for (const { since, stage } of DEPRECATIONS) expect(stageIn(since)).toBe(stage);
});

const STAGES: [since: string, format: [major: number, minor: number], stage: string | undefined][] = [
  ["1.2", [1, 1], undefined],
  ["1.2", [1, 2], "warning"],
  ["1.2", [1, 9], "warning"],
  ["1.2", [2, 0], "error"],
  ["1.2", [2, 5], "error"],
  ["1.2", [3, 0], "gone"],
  ["2.0", [1, 5], undefined],
  ["soon", [1, 0], undefined],
];
for (const [since, [major, minor], stage] of STAGES) {
  test(`what is deprecated since ${since} is, in ${major}.${minor}: ${stage}`, () => {
    expect(stageIn(since, { major, minor })).toBe(stage as never);
  });
}

test("findDeprecated() looks into lists too, and is silent about what is gone: nobody knows it any more", () => {
  const data = { a: [{ b: 1 }, { c: 2 }, { b: 3 }] };
  const entry = { since: "1.0", instead: "use 'c'" };
  const found = findDeprecated(data, [
    { name: "a.*.b", stage: "warning", ...entry },
    { name: "a", stage: "gone", ...entry },
  ]);
  expect(found.map(({ severity, pointer }) => [severity, pointer])).toEqual([
    ["warning", "/a/0/b"],
    ["warning", "/a/2/b"],
  ]);
});
