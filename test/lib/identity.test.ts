import { expect, test } from "bun:test";
import { identityOf } from "../../src/lib/fs.ts";

/** As NTFS has them: beyond what a double tells apart. */
const LARGE = 2 ** 60;

const CASES: [when: string, left: Facts, right: Facts, isSame: boolean][] = [
  ["inodes differ", facts(1), facts(2), false],
  ["devices differ", facts(1), { ...facts(1), dev: 2 }, false],
  ["a file was born anew under a small inode", facts(1), facts(1, 20), true],
  ["two files have neighbouring large inodes", facts(LARGE), facts(LARGE + 1, 20), false],
  ["a file with a large inode is looked at twice", facts(LARGE), facts(LARGE), true],
  ["a directory with a large inode has changed", directory(10), directory(20), true],
];

test.each(CASES)("identityOf() when %s", (_, left, right, isSame) => {
  expect(identityOf(left) === identityOf(right)).toBe(isSame);
});

type Facts = Parameters<typeof identityOf>[0];

function facts(ino: number, birthtimeMs = 10): Facts {
  return { dev: 1, ino, birthtimeMs, isDirectory: () => false };
}

function directory(birthtimeMs: number): Facts {
  return { dev: 1, ino: LARGE, birthtimeMs, isDirectory: () => true };
}
