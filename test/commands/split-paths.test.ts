import { expect, test } from "bun:test";
import { splitPaths } from "../../src/commands/resolve.ts";

const CASES: [when: string, text: string, expected: string[]][] = [
  ["there is nothing", "", []],
  ["there are only line ends", "\n\r\n\n", []],
  ["there is no line end", "a", ["a"]],
  ["lines end as on Unix", "a\nb c\n", ["a", "b c"]],
  ["lines end as on Windows", "a\r\nb\r\n", ["a", "b"]],
  ["a name has blanks at its ends", " a \n\tb\n", [" a ", "\tb"]],
  ["NUL stands between, and a name has a line end", "a\nb\0c\0", ["a\nb", "c"]],
  ["NUL stands between, and a name ends in a carriage return", "a\r\0b", ["a\r", "b"]],
  ["NULs follow each other", "\0\0a\0\0", ["a"]],
];
for (const [when, text, expected] of CASES) {
  test(`splitPaths() finds ${expected.length} when ${when}`, () => {
    expect(splitPaths(text)).toEqual(expected);
  });
}
