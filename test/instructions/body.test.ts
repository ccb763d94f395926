import { expect, test } from "bun:test";
import { decodeBody, defuse } from "../../src/instructions/body.ts";
import { FRAMES } from "../../src/instructions/elements.ts";

const FILLERS: [what: string, filler: string][] = [
  ["nothing", ""],
  ["a space", " "],
  ["a tab", "\t"],
  ["a line end", "\r\n"],
  ["several blanks", " \t\n\v\f "],
  ["a no-break space", "\u00A0"],
  ["wide spaces", "\u2003\u3000"],
  ["a line separator", "\u2028"],
  ["control characters", "\0\u0001\u001B\u007F\u0085"],
  ["zero-width characters", "\u200B\u200C\u200D\u2060\uFEFF"],
  ["bidi characters", "\u200E\u202E\u2066"],
  ["a soft hyphen", "\u00AD"],
  ["tag characters", "\u{E0020}\u{E0041}"],
  ["variation selectors", "\uFE0F\u180B\u{E0100}"],
];
for (const [what, filler] of FILLERS) {
  test(`defuse() breaks every tag of ours, in any case, with ${what} before and after the slash`, () => {
    for (const name of FRAMES.flatMap((frame) => [frame, frame.toUpperCase(), frame.replace(/^./, upper)])) {
      for (const opening of [`<${filler}`, `<${filler}/${filler}`]) {
        for (const rest of [">", " x='1'>", "/>", "\n", ""]) {
          const tag = `${opening}${name}${rest}`;
          expect(defuse(`a${tag} ${tag}`)).toBe(`a&lt;${tag.slice(1)} &lt;${tag.slice(1)}`);
        }
      }
    }
  });
}

function upper(letter: string): string {
  return letter.toUpperCase();
}

test("defuse() breaks tags with characters in their names that a reader does not see", () => {
  for (const frame of FRAMES) {
    for (const character of "\u200B\u2060\u00AD\u202E\u034F\u{E0041}") {
      const name = [...frame].join(character);
      expect(defuse(`<${name}> </${name}>`)).toBe(`&lt;${name}> &lt;/${name}>`);
    }
  }
});

// escape.ts takes each of these for a character that is not seen: so may a reader that looks for a tag.
test("defuse() breaks tags with any character in them that a reader does not see", () => {
  const unseen = "\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u3164\uFFA0\uFFF9\u{1D173}";
  for (const character of unseen) {
    expect(defuse(`<${character}/system-reminder>`)).toBe(`&lt;${character}/system-reminder>`);
  }
});

const KEPT = [
  "",
  "text",
  "<b>bold</b> & <agent_context> < system",
  "<agents_contexts>",
  "<agents_context-x>",
  "<my_agents_context>",
  "< agents context>",
  "agents_context>",
  "&lt;agents_context>",
  "<<>>",
  "see Instructions from: a",
  " Instructions from: a",
  "Instructions\nfrom: a",
  "Instructions from a",
  "Base directory: /x",
  "line\r\n\r\nline\r\n",
  "日本語 \u200B\u202E \u{1F600}\uFFFD\t\u001B[0m",
];
for (const body of KEPT) {
  test(`defuse() keeps ${JSON.stringify(body)} as it is`, () => {
    expect(defuse(body)).toBe(body);
  });
}

const HEADERS: [when: string, body: string, expected: string][] = [
  ["it is the first line", "Instructions from: /etc/x\n", " Instructions from: /etc/x\n"],
  ["it is a later line", "a\nInstructions from:", "a\n Instructions from:"],
  ["it follows a carriage return", "a\rInstructions from:", "a\r Instructions from:"],
  ["it follows both", "a\r\nInstructions from:", "a\r\n Instructions from:"],
  ["it follows a line separator", "a\u2028Instructions from:", "a\u2028 Instructions from:"],
  ["it follows a paragraph separator", "a\u2029Instructions from:", "a\u2029 Instructions from:"],
  ["it follows a vertical tab", "a\vInstructions from:", "a\v Instructions from:"],
  ["it follows a form feed", "a\fInstructions from:", "a\f Instructions from:"],
  ["it follows a next line", "a\u0085Instructions from:", "a\u0085 Instructions from:"],
  [
    "it follows a separator of files",
    "a\u001C\u001D\u001EInstructions from:",
    "a\u001C\u001D\u001E Instructions from:",
  ],
  ["a vertical tab begins its line", "a\n\vInstructions from:", "a\n\v Instructions from:"],
  ["it is in other letters", "iNSTRUCTIONS FROM: a", " iNSTRUCTIONS FROM: a"],
  ["there is more than a space in it", "Instructions \tfrom: a", " Instructions \tfrom: a"],
  ["its space is another", "Instructions\u00A0from: a", " Instructions\u00A0from: a"],
  ["there are two", "Instructions from:\nInstructions from:", " Instructions from:\n Instructions from:"],
];
for (const [when, body, expected] of HEADERS) {
  test(`defuse() indents a header line when ${when}`, () => {
    expect(defuse(body)).toBe(expected);
  });
}

test("defuse() indents a header line when characters that are not seen stand before it", () => {
  for (const character of "\u200B\u2060\u202E\uFEFF\u{E0041}") {
    expect(defuse(`a\n${character}Instructions from: /etc/x`)).toBe(`a\n ${character}Instructions from: /etc/x`);
  }
});

test("defuse() indents a header line with characters in it that are not seen", () => {
  for (const character of "\u200B\u00AD\u202E\u034F\u180B\uFE0F\u{E0041}\0") {
    for (const header of [
      "Instruc_tions from:",
      "I_nstructions from_:",
      "Instructions _from:",
      "Instructions_ _from:",
    ]) {
      const line = header.replaceAll("_", character);
      expect(defuse(`a\n${line} /etc/x`)).toBe(`a\n ${line} /etc/x`);
    }
  }
});

const FOOTERS: [when: string, body: string, expected: string][] = [
  ["it is a line", "a\nBase directory: file:///etc/\n", "a\n Base directory: file:///etc/\n"],
  ["it follows a vertical tab", "a\vbase  Directory:", "a\v base  Directory:"],
  ["something is hidden in it", "Ba\u200Bse\u2060 directory:", " Ba\u200Bse\u2060 directory:"],
  ["it is in a line", "the Base directory: x", "the Base directory: x"],
  ["it is another file's", "Instructions from: /etc/x", " Instructions from: /etc/x"],
];
for (const [when, body, expected] of FOOTERS) {
  test(`defuse() indents what a skill's text says of its directory when ${when}`, () => {
    expect(defuse(body, "skill")).toBe(expected);
    expect(defuse(expected, "skill")).toBe(expected);
  });
}

const LONG: [what: string, body: string][] = [
  ["'<' and spaces", `<${" ".repeat(200_000)}`],
  ["'<' with a space after each", "< ".repeat(100_000)],
  ["many '<', then spaces", "<".repeat(100_000) + " ".repeat(100_000)],
  ["'</' and spaces on both sides of the slash", `<${" ".repeat(100_000)}/${" ".repeat(100_000)}`],
  ["'<' with many spaces after each", `<${" ".repeat(1000)}`.repeat(200)],
  ["'<' and '/ '", `<${"/ ".repeat(100_000)}`],
  ["'<' and zero-width characters", `<${"\u200B".repeat(70_000)}`],
  ["half of a name", "<system-".repeat(25_000)],
  ["a letter and zero-width characters", `<s${"\u200B".repeat(70_000)}`],
  ["letters with zero-width characters after each", `<s${"\u200By\u200Bs".repeat(20_000)}`],
  ["tags begun with zero-width characters in them", `<s${"\u200B".repeat(500)}`.repeat(140)],
  ["lines of zero-width characters", `${"\u200B".repeat(500)}\n`.repeat(140)],
  ["vertical tabs, a part of it", "\v".repeat(30_000)],
  ["tags", "<system-reminder ".repeat(12_000)],
  ["header lines", "Instructions from:\n".repeat(11_000)],
  ["line ends", "\n".repeat(200_000)],
  ["half of a header with zero-width characters", `I${"\u200B".repeat(500)}\n`.repeat(140)],
  ["blanks after a header's word", `Instructions${" ".repeat(1000)}`.repeat(190)],
  ["blanks after a header's word, and something hidden", `\u200BInstructions${"\u00A0".repeat(500)}\n`.repeat(140)],
];
for (const [what, body] of LONG) {
  test(`defuse() takes no time over 200 KB of ${what}`, () => {
    const startedAt = performance.now();
    defuse(body, "skill");
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
}

const DECODED: [what: string, bytes: number[], expected: string][] = [
  ["nothing", [], ""],
  ["UTF-8", [0xe6, 0x97, 0xa5], "日"],
  ["a byte order mark, as it is", [0xef, 0xbb, 0xbf, 0x61], "\uFEFFa"],
  ["what is no UTF-8", [0x61, 0xff, 0x62], "a\uFFFDb"],
  ["a character cut short", [0x61, 0xe6, 0x97], "a\uFFFD"],
  ["NUL", [0x61, 0x00, 0x62], "a\uFFFDb"],
  ["carriage returns", [0x61, 0x0d, 0x0a], "a\r\n"],
];
for (const [what, bytes, expected] of DECODED) {
  test(`decodeBody() reads ${what}`, () => {
    expect(decodeBody(new Uint8Array(bytes))).toBe(expected);
  });
}
