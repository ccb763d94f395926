import { expect, test } from "bun:test";
import { textDigest } from "../../src/lib/hash.ts";

const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "ba",
  "abcd",
  "abce",
  "bbcd",
  "abcd\n",
  "abcd\0",
  "abcdabcd",
  "日本",
  "日木",
  "\u{1F600}",
];

test("textDigest() is the same for the same text, and another for each of these", () => {
  const digests = TEXTS.map(textDigest);
  expect(TEXTS.map(textDigest)).toEqual(digests);
  expect(new Set(digests).size).toBe(TEXTS.length);
  for (const digest of digests) expect(Number.isInteger(digest) && digest >= 0 && digest < 2 ** 32).toBe(true);
});

test("textDigest() changes with any one character of a text", () => {
  const text = "Rules of the root.\nKeep to them.\n";
  for (let index = 0; index < text.length; index++) {
    const changed = `${text.slice(0, index)}X${text.slice(index + 1)}`;
    expect(textDigest(changed)).not.toBe(textDigest(text));
  }
});
