import { expect, test } from "bun:test";
import { shortHash, textDigest } from "../../src/lib/hash.ts";

const PRIME = 0x100000001b3n;
const OFFSET_BASIS = 0xcbf29ce484222325n;

/** FNV-1a as its authors write it, over UTF-16 units. */
function reference(text: string): string {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}

// The first two are from the authors' own table for 64 bits.
const KNOWN: [text: string, hash: string][] = [
  ["", "cbf29ce484222325"],
  ["foobar", "85944171f73967e8"],
  ["/home/user/repository", reference("/home/user/repository")],
  ["日本語 \u{1F600}", reference("日本語 \u{1F600}")],
  ["\uD800 \uFFFF", reference("\uD800 \uFFFF")],
  ["x".repeat(5000), reference("x".repeat(5000))],
];
for (const [text, hash] of KNOWN) {
  test(`shortHash() is ${hash} for ${JSON.stringify(text.slice(0, 30))}`, () => {
    expect(shortHash(text)).toBe(hash);
  });
}

test("shortHash() is always 16 digits, also where they begin with zeros", () => {
  const hashes = Array.from({ length: 5000 }, (_, index) => shortHash(`/r/${index}`));
  expect(hashes).toEqual(hashes.map((_, index) => reference(`/r/${index}`)));
  expect(hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash))).toBe(true);
  expect(hashes.some((hash) => hash.startsWith("00") || hash.slice(8).startsWith("00"))).toBe(true);
});

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
