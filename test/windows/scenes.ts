import { acquireLock } from "../../src/lib/lock.ts";
import { writeWhole } from "../../src/lib/write-file.ts";
import { makeLedgerDirectory } from "../../src/ledger/make-directory.ts";
import { directoryIdentity, isSameFile } from "../../src/lib/path-facts.ts";
import { treeOf } from "../../src/ledger/location.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";
import { fakeWorld } from "../support/fake-world.ts";

// Where the file system answers as that of Windows does. Nothing is read from or written to the real one.

const NOTHING_THERE = {
  makeDirectory: () => () => {},
  openToCreate: () => () => 1,
  openToRead: () => () => {
    throw errno("ENOENT");
  },
  look: () => () => undefined,
  setMode: () => () => {},
  write: () => (_: number, bytes: Uint8Array) => bytes.length,
  close: () => () => {},
  remove: () => () => {},
  removeDirectory: () => () => {},
} as const;

/** Replaces a file that another process has open for a while: what came of it, and how long that took. */
export function replaceInUse(code: string, forMs: number): readonly unknown[] {
  const world = fakeWorld();
  using _ = hookDisk({ ...NOTHING_THERE, rename: () => () => failUntil(world.clock, forMs, code) });
  return [writeWhole(world, "C:\\r\\f", "x"), world.clock.ticks];
}

/** Takes a lock that another process is just removing. */
export function lockBeingRemoved(code: string, forMs: number, waitMs: number): readonly unknown[] {
  const world = fakeWorld();
  const openToCreate = () => () => {
    failUntil(world.clock, forMs, code);
    return 1;
  };
  using _ = hookDisk({ ...NOTHING_THERE, openToCreate });
  const attempt = acquireLock(world, { path: "C:\\r\\lock", waitMs });
  return [attempt.kind === "failed" ? attempt.reason : attempt.kind, world.clock.ticks];
}

/** Makes `.codelia` while another process makes it too; `isThere`: and that one was first. */
export function makeDirectoryWithOthers(code: string, isThere: boolean): string | undefined {
  const directory = "C:\\r\\.codelia";
  let isTried = false;
  const rename = () => () => {
    isTried = true;
    throw errno(code);
  };
  const look = () => (path: string) =>
    isTried && isThere && path === directory ? ({ isDirectory: () => true } as never) : undefined;
  using _ = hookDisk({ ...NOTHING_THERE, lookThrough: () => () => undefined, rename, look });
  const location = { directory, isInProject: true, root: "C:\\r", treeFile: "C:\\s\\tree" };
  return makeLedgerDirectory(fakeWorld(), location, [".codelia"]);
}

/** Two directories whose inodes are the same number once they are rounded. */
export function tellNeighboursApart(): readonly unknown[] {
  const inodes: Record<string, bigint> = { a: 2n ** 60n, b: 2n ** 60n + 1n };
  const rounded = (path: string) => ({ dev: 1, ino: Number(inodes[path]), isDirectory: () => true }) as never;
  const exact = (path: string) => ({ dev: 1n, ino: inodes[path] }) as never;
  using _ = hookDisk({
    look: () => rounded,
    lookThrough: () => rounded,
    lookExactly: () => exact,
    lookThroughExactly: () => exact,
  });
  return [
    isSameFile("a", "b"),
    directoryIdentity("a", rounded("a")) === directoryIdentity("a", rounded("a")),
    treeOf({ directory: "a" }) === treeOf({ directory: "b" }),
  ];
}

/** The paths of `/proc` that are looked at to describe this process. */
export function readsOfProc(): readonly string[] {
  const seen: string[] = [];
  const note = (path: string) => {
    if (path.includes("proc")) seen.push(path);
    throw errno("ENOENT");
  };
  using _ = hookDisk({ ...NOTHING_THERE, openToRead: () => note, readLink: () => note, list: () => note });
  acquireLock(fakeWorld(), { path: "C:\\r\\lock", waitMs: 0 });
  return seen;
}

function failUntil(clock: { readonly ticks: number }, ms: number, code: string): void {
  if (clock.ticks < ms) throw errno(code);
}
