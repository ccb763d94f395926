import { expect, test } from "bun:test";
import { lineCutter } from "../../src/lib/bytes.ts";

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
