import { expect, test } from "bun:test";
import { isBlank } from "../../src/lib/text.ts";

const CASES: [expected: boolean, when: string, text: string, sizeBytes?: number][] = [
  [true, "there is nothing", ""],
  [true, "there is white space of every kind", " \t\r\n\v\f\u00A0\u2003\u3000\u2028"],
  [true, "there is a byte order mark", "\uFEFF"],
  [true, "there is a byte order mark before white space", "\uFEFF\n \n"],
  [false, "there is a letter", "\n\n x"],
  [false, "there is a NUL", "\0"],
  [false, "not all of it was seen", "   ", 4],
];
for (const [expected, when, text, sizeBytes] of CASES) {
  test(`isBlank() says ${expected} when ${when}`, () => {
    const bytes = new TextEncoder().encode(text);
    expect(isBlank(bytes, sizeBytes ?? bytes.length)).toBe(expected);
  });
}

test("isBlank() says false of what is no UTF-8", () => {
  expect(isBlank(new Uint8Array([0xff, 0x20]), 2)).toBe(false);
});
