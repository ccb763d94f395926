import { expect, test } from "bun:test";
import { textPositions } from "../../src/lib/text-positions.ts";

const PLACES: [text: string, offset: number, line: number, column: number][] = [
  ["", 0, 1, 1],
  ["ab", 1, 1, 2],
  ["a\nb", 1, 1, 2],
  ["a\nb", 2, 2, 1],
  ["a\r\nb", 3, 2, 1],
  ["\n\n\nx", 3, 4, 1],
  ["a\n", 2, 2, 1],
  ["😀x", 2, 1, 3],
];
for (const [text, offset, line, column] of PLACES) {
  test(`offset ${offset} of ${JSON.stringify(text)} is ${line}:${column}`, () => {
    expect(textPositions(text)(offset)).toEqual({ line, column });
  });
}
