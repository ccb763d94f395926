import { expect, test } from "bun:test";
import { isBlank } from "../../src/lib/bytes.ts";
import { lineCutter } from "../../src/lib/lines.ts";

const encode = (text: string) => new TextEncoder().encode(text);

for (const [what, chunks, lines] of [
  ["nothing", [""], []],
  ["lines in one chunk", ["a\nb\n"], ["a", "b"]],
  ["a last line without its end", ["a\nb"], ["a", "b"]],
  ["a blank line", ["\n"], [""]],
  ["a line in pieces", ["a", "b", "c\n"], ["abc"]],
  ["a character in pieces", [encode("é\n").slice(0, 1), encode("é\n").slice(1)], ["é"]],
  ["a line of the most bytes", ["abcd\n"], ["abcd"]],
  ["a longer one, and the next", ["abcde\nf\n"], ["too-long", "f"]],
  ["a longer one in pieces, once", ["abc", "de", "fgh", "i\nj"], ["too-long", "j"]],
  ["a longer one that never ends", ["abcde", "fgh"], ["too-long"]],
] as const) {
  test(`lineCutter() of ${what}`, () => {
    const cutter = lineCutter(4);
    const pushed = chunks.flatMap((chunk) => cutter.push(typeof chunk === "string" ? encode(chunk) : chunk));
    const cut = [...pushed, ...cutter.end()].map((line) => (line.kind === "line" ? line.text : line.kind));
    expect(cut).toEqual([...lines]);
  });
}

const BLANKS: [expected: boolean, when: string, text: string, sizeBytes?: number][] = [
  [true, "there is nothing", ""],
  [true, "there is white space of every kind", " \t\r\n\v\f\u00A0\u2003\u3000\u2028"],
  [true, "there is a byte order mark", "\uFEFF"],
  [true, "there is a byte order mark before white space", "\uFEFF\n \n"],
  [false, "there is a letter", "\n\n x"],
  [false, "there is a NUL", "\0"],
  [false, "not all of it was seen", "   ", 4],
];
for (const [expected, when, text, sizeBytes] of BLANKS) {
  test(`isBlank() says ${expected} when ${when}`, () => {
    const bytes = new TextEncoder().encode(text);
    expect(isBlank(bytes, sizeBytes ?? bytes.length)).toBe(expected);
  });
}

test("isBlank() says false of what is no UTF-8", () => {
  expect(isBlank(new Uint8Array([0xff, 0x20]), 2)).toBe(false);
});
