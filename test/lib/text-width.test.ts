import { expect, test } from "bun:test";
import { fill, fit, fitEnd, widthOf, wrap } from "../../src/lib/text-width.ts";

const WIDTHS: [text: string, width: number][] = [
  ["", 0],
  ["abc", 3],
  ["日本語", 6],
  ["ﾊﾝｶｸ", 4],
  ["Ｆｕｌｌ", 8],
  ["한글", 4],
  ["\u1112\u1161\u11AB", 2],
  ["e\u0301", 1],
  ["é", 1],
  ["👍", 2],
  ["👍🏽", 2],
  ["🇯🇵", 2],
  ["❤\uFE0F", 2],
  ["❤", 1],
  ["⌚", 2],
  ["𠮷", 2],
  ["a日b", 4],
  ["שלום", 4],
];

for (const [text, width] of WIDTHS) {
  test(`widthOf() of '${text}' is ${width}`, () => expect(widthOf(text)).toBe(width));
}

const FITTING: [text: string, columns: number, start: string, end: string][] = [
  ["abcdef", 6, "abcdef", "abcdef"],
  ["abcdef", 5, "abcd…", "…cdef"],
  ["abcdef", 1, "…", "…"],
  ["abcdef", 0, "", ""],
  ["abcdef", -3, "", ""],
  ["日本語", 5, "日本…", "…本語"],
  ["日本語", 4, "日…", "…語"],
  ["a👍🏽b👍🏽", 4, "a👍🏽…", "…b👍🏽"],
  ["xe\u0301yz", 3, "xe\u0301…", "…yz"],
];

for (const [text, columns, start, end] of FITTING) {
  test(`fit() and fitEnd() of '${text}' in ${columns}`, () => {
    expect(fit(text, columns)).toBe(start);
    expect(fitEnd(text, columns)).toBe(end);
  });
}

test("fill() makes a column of it", () => {
  expect(fill("ab", 4)).toBe("ab  ");
  expect(fill("日本語", 4)).toBe("日… ");
  expect(fill("", 0)).toBe("");
});

const WRAPPED: [text: string, columns: number, maxLines: number, lines: string[]][] = [
  ["one two three", 7, 9, ["one two", "three"]],
  ["one two three", 8, 9, ["one two", "three"]],
  ["one two three", 6, 9, ["one", "two", "three"]],
  ["one two three", 7, 1, ["one tw…"]],
  ["one two three four", 7, 2, ["one two", "three …"]],
  ["abcdefgh", 3, 9, ["abc", "def", "gh"]],
  ["日本語日本語", 5, 9, ["日本", "語日", "本語"]],
  ["日本", 1, 9, ["…", "…"]],
  ["  a  ", 3, 9, ["a"]],
  ["", 3, 9, []],
  ["abc", 0, 9, []],
  ["abc", 3, 0, []],
];

for (const [text, columns, maxLines, lines] of WRAPPED) {
  test(`wrap() of '${text}' in ${columns} columns and ${maxLines} lines`, () => {
    expect(wrap(text, columns, maxLines)).toEqual(lines);
  });
}
