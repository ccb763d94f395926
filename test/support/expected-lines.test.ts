import { expect, test } from "bun:test";
import { compareLines, linesOf, NO_NEWLINE } from "./expected-lines.ts";

function compare(expected: string[], actual: string[]): string[] {
  const marks = { same: " ", missing: "-", extra: "+" };
  return compareLines(expected, actual).map(({ kind, text }) => `${marks[kind]}${text}`);
}

test("linesOf() makes a missing last newline visible", () => {
  for (const [output, lines] of [
    ["", []],
    ["\n", [""]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["a", ["a", NO_NEWLINE]],
    ["a\nb", ["a", "b", NO_NEWLINE]],
  ] as const) {
    expect(linesOf(output)).toEqual([...lines]);
  }
});

const AGREEING: [name: string, expected: string[], actual: string[]][] = [
  ["nothing", [], []],
  ["equal lines", ["a", "b"], ["a", "b"]],
  ["{mtime} and digits", ["(mtime: {mtime})"], ["(mtime: 1738970000000)"]],
  ["{any} and the rest of a line", ["a {any}"], ["a b c"]],
  ["{any} and no rest", ["a {any}"], ["a "]],
  ["{any} before something", ["{any}.md (mtime: {mtime})"], ["x.md (mtime: 1)"]],
  ["… and no line", ["a", "…", "b"], ["a", "b"]],
  ["… and many lines", ["a", "…", "b"], ["a", "b", "c", "b"]],
  ["… alone", ["…"], ["a", "b"]],
  ["two …", ["…", "b", "…"], ["a", "b", "c"]],
];
for (const [name, expected, actual] of AGREEING) {
  test(`compareLines() takes as equal: ${name}`, () => {
    expect(compareLines(expected, actual).map(({ kind, text }) => [kind, text])).toEqual(
      expected.map((text) => ["same", text]),
    );
  });
}

const DIFFERING: [name: string, expected: string[], actual: string[], compared: string[]][] = [
  ["a missing line", ["a", "b"], ["a"], [" a", "-b"]],
  ["an extra line", ["a"], ["a", "b"], [" a", "+b"]],
  ["an extra empty line", ["a"], ["a", ""], [" a", "+"]],
  ["a changed line, between others", ["a", "b", "c"], ["a", "x", "c"], [" a", "-b", "+x", " c"]],
  ["a trailing space", ["a"], ["a "], ["-a", "+a "]],
  ["another order", ["a", "b"], ["b", "a"], ["-a", " b", "+a"]],
  ["{mtime} and no digits", ["{mtime}"], [""], ["-{mtime}", "+"]],
  ["{mtime} and a part of a line", ["{mtime}"], ["12x"], ["-{mtime}", "+12x"]],
  ["{any} and two lines", ["a{any}"], ["ab", "c"], [" a{any}", "+c"]],
  ["a regular expression's characters", ["a.c", "(x)"], ["abc", "x"], ["-a.c", "-(x)", "+abc", "+x"]],
  ["a regular expression's characters beside a placeholder", ["a.c {any}"], ["abc "], ["-a.c {any}", "+abc "]],
  ["what stands after …", ["…", "z"], ["a", "b"], [" …", "-z", "+b"]],
  ["what stands before …", ["z", "…"], ["a", "b"], ["-z", " …"]],
];
for (const [name, expected, actual, compared] of DIFFERING) {
  test(`compareLines() tells: ${name}`, () => {
    expect(compare(expected, actual)).toEqual(compared);
  });
}
