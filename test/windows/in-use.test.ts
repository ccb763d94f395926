import { expect, test } from "bun:test";
import { callAsOnWindows } from "./windows-calls.ts";

// Windows refuses to replace or create a file that another process has open or is just removing.

const WRITTEN = { kind: "written" };
const ROWS: readonly [what: string, name: string, args: readonly unknown[], expected: unknown][] = [
  ...["EPERM", "EACCES", "EBUSY"].map((code): (typeof ROWS)[number] => [
    `a file in use (${code}) is replaced later`,
    "replaceInUse",
    [code, 40],
    [WRITTEN, 40],
  ]),
  [
    "a file that stays in use is given up after 0.3 s",
    "replaceInUse",
    ["EPERM", 5000],
    [{ kind: "failed", errno: "EPERM" }, 300],
  ],
  ["a full disk is not waited for", "replaceInUse", ["ENOSPC", 40], [{ kind: "failed", errno: "ENOSPC" }, 0]],
  ["a lock that is being removed is taken then", "lockBeingRemoved", ["EPERM", 3, 1000], ["locked", 3]],
  ["a directory that can't be written is no lock of others", "lockBeingRemoved", ["EACCES", 5000, 0], ["EACCES", 0]],
  ["another's .codelia does, whatever the errno", "makeDirectoryWithOthers", ["EPERM", true], null],
  ["without another's the errno is told", "makeDirectoryWithOthers", ["EPERM", false], "EPERM"],
  ["directories with neighbouring inodes are two", "tellNeighboursApart", [], [false, true, false]],
  ["C:\\proc is not asked about processes", "readsOfProc", [], []],
];

const results = callAsOnWindows(ROWS.map(([, name, args]) => ({ from: "../test/windows/scenes.ts", name, args })));
for (const [index, [what, , , expected]] of ROWS.entries()) {
  test(what, () => expect(results[index]).toEqual(expected));
}
