import { expect, test } from "bun:test";
import { shareBudget, type BundleLimits } from "../../src/instructions/chain.ts";
import { characterBoundary } from "../../src/lib/bytes.ts";

const WIDE: BundleLimits = { maxFiles: 64, maxBytes: 100, keep: "root-first" };

const SHARES: [does: string, sizes: number[], limits: Partial<BundleLimits>, shown: number[]][] = [
  ["is empty when there are no files", [], {}, []],
  ["shows all when all fit", [10, 20, 30], {}, [10, 20, 30]],
  ["shows all when they fit exactly", [40, 60], {}, [40, 60]],
  ["cuts the file that crosses the limit and leaves out those after it", [60, 60, 20], {}, [60, 40, 0]],
  ["cuts a first file that is too large", [300, 20], {}, [100, 0]],
  ["does not leave out a nearest file that is small beside the limit", [60, 60, 5, 12], {}, [60, 28, 0, 12]],
  [
    "sets room aside for a long nearest file under a wide limit",
    [300_000, 40_000],
    { maxBytes: 262_144 },
    [222_144, 40_000],
  ],
  ["leaves the others 64 KiB", [300_000, 300_000], { maxBytes: 262_144 }, [65_536, 196_608]],
  ["gives the nearest file what the others don't need", [10_000, 300_000], { maxBytes: 262_144 }, [10_000, 252_144]],
  [
    "sets nothing aside for a file over the number of files",
    [300_000, 40_000],
    { maxBytes: 262_144, maxFiles: 1 },
    [262_144, 0],
  ],
  ["does not leave out the nearest of many files", Array(9).fill(1), { maxFiles: 8 }, [1, 1, 1, 1, 1, 1, 1, 0, 1]],
  ["leaves out those over the number of files", [10, 10, 10], { maxFiles: 2 }, [10, 10, 0]],
  ["counts files and bytes together", [90, 90, 90], { maxFiles: 2 }, [90, 10, 0]],
  ["begins at the deepest when it keeps the nearest", [60, 60, 10], { keep: "nearest-first" }, [30, 60, 10]],
  ["leaves out the topmost when it keeps the nearest", [60, 60, 60], { keep: "nearest-first" }, [0, 40, 60]],
  ["cuts the deepest when it alone is too large", [1, 300], { keep: "nearest-first" }, [0, 100]],
  ["keeps the nearest files by number", [10, 10, 10], { keep: "nearest-first", maxFiles: 2 }, [0, 10, 10]],
  ["gives an empty file nothing, and takes nothing for it", [0, 100, 0], {}, [0, 100, 0]],
];
for (const [does, sizes, limits, shown] of SHARES) {
  test(`shareBudget() ${does}`, () => {
    const shares = shareBudget(sizes, { ...WIDE, ...limits });
    expect(shares.map((share) => share.shownBytes)).toEqual(shown);
    expect(shares.map((share) => share.sizeBytes)).toEqual(sizes);
  });
}

const encode = (text: string) => new TextEncoder().encode(text);
const BOUNDARIES: [when: string, bytes: Uint8Array, limit: number, expected: number][] = [
  ["all fits", encode("abc"), 3, 3],
  ["the limit is beyond the end", encode("abc"), 9, 3],
  ["there is nothing", encode(""), 0, 0],
  ["nothing may be shown", encode("abc"), 0, 0],
  ["it cuts between ASCII letters", encode("abc"), 2, 2],
  ["it cuts before a character", encode("aéb"), 1, 1],
  ["it would cut two bytes in the middle", encode("aéb"), 2, 1],
  ["it cuts after a character", encode("aéb"), 3, 3],
  ["it would cut three bytes after the first", encode("あb"), 1, 0],
  ["it would cut three bytes after the second", encode("あb"), 2, 0],
  ["it would cut four bytes after the first", encode("x\u{1F600}y"), 2, 1],
  ["it would cut four bytes after the third", encode("x\u{1F600}y"), 4, 1],
  ["it cuts between two wide characters", encode("\u{1F600}\u{1F600}"), 4, 4],
  ["the bytes are continuations only: not UTF-8, so they stay", new Uint8Array(9).fill(0x80), 5, 5],
  ["four continuations follow a letter: not UTF-8", new Uint8Array([0x61, 0x80, 0x80, 0x80, 0x80, 0x80]), 5, 5],
  ["the text begins in the middle of a character", new Uint8Array([0x80, 0x80, 0x61]), 1, 1],
  ["a lead byte stands alone", new Uint8Array([0xf0, 0x61, 0x62]), 1, 1],
];
for (const [when, bytes, limit, expected] of BOUNDARIES) {
  test(`characterBoundary() gives ${expected} for a limit of ${limit} when ${when}`, () => {
    expect(characterBoundary(bytes, limit)).toBe(expected);
  });
}
