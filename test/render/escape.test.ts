import { expect, test } from "bun:test";
import { escapeAttribute, escapeText, visible } from "../../src/render/escape.ts";

const SHOWN: [what: string, characters: string][] = [
  ["NUL", "\0"],
  ["a line end", "\n"],
  ["a carriage return", "\r"],
  ["a tab", "\t"],
  ["escape", "\u001B"],
  ["delete", "\u007F"],
  ["a C1 control", "\u0085"],
  ["a soft hyphen", "\u00AD"],
  ["a combining grapheme joiner", "\u034F"],
  ["an Arabic letter mark", "\u061C"],
  ["Hangul fillers", "\u115F\u1160\u3164\uFFA0"],
  ["Khmer vowels that are not seen", "\u17B4\u17B5"],
  ["a Mongolian vowel separator", "\u180E"],
  ["zero-width characters", "\u200B\u200C\u200D\u2060\uFEFF"],
  ["bidi marks", "\u200E\u200F"],
  ["bidi embeddings and overrides", "\u202A\u202B\u202C\u202D\u202E"],
  ["bidi isolates", "\u2066\u2067\u2068\u2069"],
  ["line and paragraph separators", "\u2028\u2029"],
  ["annotation marks", "\uFFF9\uFFFA\uFFFB"],
  ["tags", "\u{E0001}\u{E0020}\u{E0041}\u{E007F}"],
  ["half of a surrogate pair", "\uDFFF\uD800"],
  // XML can't hold these two in any form, and a file name on Linux can.
  ["what XML can't hold", "\uFFFE\uFFFF"],
];
for (const [what, characters] of SHOWN) {
  test(`visible() shows ${what} as \\u{…}`, () => {
    for (let index = 0; index < characters.length; index++) {
      const code = characters.codePointAt(index) ?? 0;
      if (code > 0xffff) index++;
      expect(visible(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`);
    }
  });
}

const KEPT = [
  "",
  "/home/u/a b.md",
  "日本語",
  "e\u0301",
  "\u{1F600}",
  "\\u{a}",
  "a\u00A0b",
  "\u3000",
  "<&>\"'",
  "\uFFFD",
];
for (const text of KEPT) {
  test(`visible() keeps ${JSON.stringify(text)} as it is`, () => {
    expect(visible(text)).toBe(text);
  });
}

const ESCAPED: [text: string, inText: string, inAttribute: string][] = [
  ["a", "a", "a"],
  ["<a>&", "&lt;a&gt;&amp;", "&lt;a&gt;&amp;"],
  ["&lt;", "&amp;lt;", "&amp;lt;"],
  ["]]>", "]]&gt;", "]]&gt;"],
  ["\"'", "\"'", "&quot;'"],
  ["a\nb<", "a\\u{a}b&lt;", "a\\u{a}b&lt;"],
];
for (const [text, inText, inAttribute] of ESCAPED) {
  test(`escapeText() and escapeAttribute() leave no markup in ${JSON.stringify(text)}`, () => {
    expect(escapeText(text)).toBe(inText);
    expect(escapeAttribute(text)).toBe(inAttribute);
  });
}
