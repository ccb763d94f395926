import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonValue, property } from "fast-check";
import { escapeAttribute, escapeText, jsonText, printable, visible } from "../../src/lib/escape.ts";
import { testProperty } from "../property/fuzz.ts";
import { REPOSITORY } from "../support/run-codelia.ts";

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

const JSON_SHOWN: [text: string, json: string][] = [
  ["a", '"a"'],
  ["\u001B[31m\u007F\u009B\u0085", String.raw`"\u001b[31m\u007f\u009b\u0085"`],
  ["\u2028\u202E\u200B\uFEFF", String.raw`"\u2028\u202e\u200b\ufeff"`],
  ["\u{E0041}\u{1F600}", String.raw`"\udb40\udc41` + '\u{1F600}"'],
  ["##[error]a ##vso[b] # [c] ##", String.raw`"\u0023#[error]a \u0023#vso[b] # [c] ##"`],
  ["a\n\tb", String.raw`"a\n\tb"`],
];
for (const [text, json] of JSON_SHOWN) {
  test(`jsonText() gives ${json}`, () => {
    expect(jsonText(text)).toBe(json);
    expect(jsonText({ [text]: [text] })).toBe(`{${json}:[${json}]}`);
  });
}

testProperty(
  "jsonText() keeps the data",
  property(jsonValue({ stringUnit: "binary" }), (value) => {
    expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
  }),
);

const PRINTED: [text: string, printed: string][] = [
  ["a\n\tb\n", "a\n\tb\n"],
  ["a\r\n\u001B[31m\u009B\u2028", String.raw`a\u{d}` + "\n" + String.raw`\u{1b}[31m\u{9b}\u{2028}`],
  ["##[error]##vso[a]## [b]", String.raw`\u{23}#[error]\u{23}#vso[a]## [b]`],
];
for (const [text, printed] of PRINTED) {
  test(`printable() shows ${JSON.stringify(text)}`, () => {
    expect(printable(text)).toBe(printed);
  });
}

test("visible() shows what a CI obeys anywhere in a line, which elements for a model keep", () => {
  expect(visible("a##[error]b")).toBe(String.raw`a\u{23}#[error]b`);
  expect(escapeText("a##[error]b")).toBe("a##[error]b");
});

/** Files that print, and have JSON that they don't print. */
const NOT_PRINTED = [
  "agent/run/watch.ts",
  "check/baseline.ts",
  "clients/settings/mend.ts",
  "commands/schema.ts",
  "hooks/channels/answer.ts",
  "plugins/module.ts",
  "report/page/shell.ts",
  "trust/trusted.ts",
];

test("what is printed as JSON is printed by jsonLine()", () => {
  const source = join(REPOSITORY, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const using = files.filter((path) => {
    const text = readFileSync(join(source, path), "utf8");
    return text.includes("JSON.stringify(") && /\.(?:write|complain|draw)\(/.test(text);
  });
  expect(using.toSorted()).toEqual(NOT_PRINTED);
});
