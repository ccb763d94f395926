import { expect, test } from "bun:test";
import { isSameData, planEdit, type ListEdit } from "../../../src/lib/edit/plan.ts";

const PATH = ["skills", "disabled"];
const listed = (...disabled: unknown[]) => ({ skills: { disabled } });

const PLANS: [does: string, data: unknown, edit: ListEdit, steps: unknown[] | undefined][] = [
  [
    "adds to nothing",
    {},
    { path: PATH, add: "x" },
    [{ kind: "insert", path: PATH, value: "x", expected: listed("x") }],
  ],
  [
    "adds at the end, and keeps what stands beside it",
    { skills: { disabled: ["a"], enabled: true }, agents: {} },
    { path: PATH, add: "x" },
    [
      {
        kind: "insert",
        path: PATH,
        value: "x",
        expected: { skills: { disabled: ["a", "x"], enabled: true }, agents: {} },
      },
    ],
  ],
  ["adds nothing twice", listed("x"), { path: PATH, add: "x" }, []],
  ["takes nothing out of nothing", {}, { path: PATH, remove: "x" }, []],
  [
    "takes out every one, the last first",
    listed("x", "a", "x"),
    { path: PATH, remove: "x" },
    [
      { kind: "remove", path: PATH, index: 2, expected: listed("x", "a") },
      { kind: "remove", path: PATH, index: 0, expected: listed("a") },
    ],
  ],
  ["knows no way into a value", { skills: true }, { path: PATH, add: "x" }, undefined],
  ["knows no way into a list", { skills: [] }, { path: PATH, add: "x" }, undefined],
  ["is not misled by what every object has", {}, { path: ["constructor", "name"], remove: "x" }, []],
];
for (const [does, data, edit, steps] of PLANS) {
  test(`planEdit() ${does}`, () => {
    expect(planEdit(data, edit) as unknown).toEqual(steps);
  });
}

const SAME: [left: unknown, right: unknown, isSame: boolean][] = [
  ["a", "a", true],
  [1, "1", false],
  [null, null, true],
  [null, {}, false],
  [Number.NaN, Number.NaN, true],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: 1 }, { b: 1 }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [["a"], { 0: "a", length: 1 }, false],
];
for (const [left, right, isSame] of SAME) {
  test(`isSameData(${JSON.stringify(left)}, ${JSON.stringify(right)}) is ${isSame}`, () => {
    expect([isSameData(left, right), isSameData(right, left)]).toEqual([isSame, isSame]);
  });
}
