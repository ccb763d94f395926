import { describe, expect, test } from "bun:test";
import { findInvisible } from "../../src/lib/invisible.ts";

const SEEN: [what: string, text: string, codes: string[]][] = [
  ["nothing", "", []],
  ["plain text", "a\tb\r\nc", []],
  ["a byte order mark at the beginning", "\uFEFFa", []],
  ["a byte order mark elsewhere", "a\uFEFF", ["U+FEFF"]],
  ["a bidi override", "a\u202Eb\u202C", ["U+202E", "U+202C"]],
  ["bidi isolates and marks", "\u2066a\u2069\u200F\u061C", ["U+2066", "U+2069", "U+200F", "U+061C"]],
  ["a zero-width space", "a\u200Bb", ["U+200B"]],
  ["a joiner between Latin letters", "a\u200Db\u200Cc", ["U+200D", "U+200C"]],
  ["a soft hyphen", "a\u00ADb", ["U+00AD"]],
  ["tags", "a\u{E0041}\u{E0042}", ["U+E0041", "U+E0042"]],
  ["control characters", "\u0000\u001B[2J\u009B", ["U+0000", "U+001B", "U+009B"]],
  ["separators that look like line ends", "a\u2028b\u2029", ["U+2028", "U+2029"]],
  ["fillers", "\u3164\uFFA0\u115F", ["U+3164", "U+FFA0", "U+115F"]],
  ["a run of selectors", "a\uFE01\uFE02\u{E0101}", ["U+FE02", "U+E0101"]],
  ["each once", "\u200B\u200B\u200B", ["U+200B"]],
  ["five of them at most", "\u2060\u2061\u2062\u2063\u2064\u2066", ["U+2060", "U+2061", "U+2062", "U+2063", "U+2064"]],
  ["an emoji in parts", "👩‍👩‍👧 ❤️‍🔥 🏃🏽‍♀️ 1️⃣", []],
  ["the flag of a region", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", []],
  ["tags that only look like a flag", "🏴\u{E0067}\u{E0062}a", ["U+E0067", "U+E0062"]],
  ["a variant of a character", "葛\u{E0100}", []],
  ["Persian, Devanagari and Bengali", "می\u200Cخواهم क्\u200Dष র\u200D্য", []],
  ["word breaks in Thai, Lao, Khmer and Burmese", "ไทย\u200Bไทย ລາວ\u200Bລາວ ខ្មែរ\u200Bខ្មែរ မြန်မာ\u200Bမြန်မာ", []],
  ["more word breaks than one", "ไทย\u200B\u200Bไทย", ["U+200B"]],
  ["a word break between Thai and Latin", "ไทย\u200Ba\u200Bไทย", ["U+200B"]],
  ["Japanese and Hebrew", "日本語　עברית", []],
];

describe("findInvisible()", () => {
  for (const [what, text, codes] of SEEN) {
    test(`${codes.length === 0 ? "passes over" : "finds"} ${what}`, () => {
      expect(findInvisible(text).flatMap((line) => line.codes)).toEqual(codes);
    });
  }

  test("speaks of a line once, where it begins", () => {
    expect(findInvisible("ab\u200Bc\u200B\nd\n\u202Ee")).toEqual([
      { at: 2, codes: ["U+200B"] },
      { at: 8, codes: ["U+202E"] },
    ]);
  });

  for (const unit of ["\u200D", "\u202E", "ก\u200B", "🏴", "\u{E0067}", "\uFE0F", "\u200B\n"]) {
    test(`takes linear time over a mebibyte of ${unit.codePointAt(0)?.toString(16)}`, () => {
      expect(findInvisible(unit.repeat(400_000)).length).toBeLessThanOrEqual(400_000);
    });
  }
});
