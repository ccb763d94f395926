import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import type { Holder } from "../../src/core/lock-holder.ts";
import { acquireLock, type Lock, type LockAttempt } from "../../src/io/lock.ts";
import { describeSelf } from "../../src/io/process-facts.ts";
import { fakeWorld, type FakeWorld } from "../support/fake-world.ts";
import { tempTree, type Entry, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk } from "./disk-hooks.ts";

const NAME = "session.json.lock";
/** No system gives out a pid like this. */
const DEAD_PID = 2 ** 30;
const WAIT_MS = 1000;
const IN_FOREIGN_NAMESPACE: Partial<Holder> = { pidNamespace: "pid:[1]", pid: DEAD_PID };

/** The text of a lock that another process made on this machine. */
function held(holder: Partial<Holder> = {}): string {
  return JSON.stringify({ ...describeSelf(fakeWorld()), nonce: "othersnonce", ...holder });
}

function acquire(tree: TempTree, world: FakeWorld, more: object = {}): LockAttempt {
  return acquireLock(world, { path: tree.path(NAME), waitMs: WAIT_MS, ...more });
}

function locked(attempt: LockAttempt): Lock {
  if (attempt.kind !== "locked") throw new Error(JSON.stringify(attempt));
  return attempt.lock;
}

const filesIn = (tree: TempTree) => readdirSync(tree.root).toSorted();

test("acquireLock() names its holder, and finish() leaves nothing", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, fakeWorld()));
  expect(JSON.parse(tree.read(NAME))).toEqual({ ...describeSelf(fakeWorld()), nonce: lock.nonce });
  let seen: string[] = [];
  const isDone = lock.finish(() => void (seen = filesIn(tree)));
  expect([isDone, seen]).toEqual([true, [NAME, `${NAME}.${lock.nonce}.gone`]]);
  expect(filesIn(tree)).toEqual([]);
});

test("release() leaves nothing", () => {
  using tree = tempTree();
  locked(acquire(tree, fakeWorld())).release();
  expect(filesIn(tree)).toEqual([]);
});

test("finish() releases the lock when what it runs throws", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, fakeWorld()));
  const fail = () => {
    throw new Error("full");
  };
  expect(() => lock.finish(fail)).toThrow("full");
  expect(filesIn(tree)).toEqual([]);
});

test("acquireLock() fails at once when the lock can't be made", () => {
  using tree = tempTree();
  const world = fakeWorld();
  const path = tree.path("missing", NAME);
  expect(acquireLock(world, { path, waitMs: WAIT_MS })).toEqual({ kind: "failed", reason: "ENOENT" });
  expect(world.clock.ticks).toBe(0);
});

test("acquireLock() waits for a holder that lives, and gives up in time", () => {
  using tree = tempTree({ [NAME]: held() });
  const world = fakeWorld();
  expect(acquire(tree, world)).toEqual({ kind: "failed", reason: "held by another process" });
  expect(world.clock.ticks).toBeWithin(WAIT_MS, WAIT_MS + 13);
  expect(tree.read(NAME)).toBe(held());
});

test("acquireLock() takes the lock when its holder releases it", () => {
  using tree = tempTree();
  const holder = locked(acquire(tree, fakeWorld()));
  const clock = { ticks: 0 };
  const world = fakeWorld({
    clock,
    onPause: () => clock.ticks > 100 && filesIn(tree).length === 1 && holder.release(),
  });
  expect(locked(acquire(tree, world)).nonce).not.toBe(holder.nonce);
  expect(clock.ticks).toBeWithin(100, 130);
});

test("acquireLock() ends its wait when the matter is settled", () => {
  using tree = tempTree({ [NAME]: held() });
  const world = fakeWorld();
  expect(acquire(tree, world, { isSettled: () => world.clock.ticks > 50 })).toEqual({ kind: "settled" });
  expect(world.clock.ticks).toBeWithin(50, 70);
});

/** There is no start time and no boot id without /proc. */
const hasProc = existsSync("/proc/self/stat");
const AT_ONCE: [when: string, text: string][] = [
  ["it is dead", held({ pid: DEAD_PID })],
  ...(hasProc
    ? ([
        ["its pid is another process's now", held({ startTime: "1" })],
        ["the machine was started anew", held({ bootId: "before" })],
      ] satisfies [string, string][])
    : []),
];
for (const [when, text] of AT_ONCE) {
  test(`acquireLock() takes the lock of a holder at once when ${when}`, () => {
    using tree = tempTree({ [NAME]: text });
    const world = fakeWorld();
    const cleaned: string[] = [];
    const { nonce } = locked(acquire(tree, world, { cleanUpAfter: (left: string) => void cleaned.push(left) }));
    expect(JSON.parse(tree.read(NAME)).nonce).toBe(nonce);
    expect([world.clock.ticks, cleaned, filesIn(tree)]).toEqual([0, ["othersnonce"], [NAME]]);
    expect(world.stages).toContain("lock-broken");
  });
}

const WATCHED: [what: string, entry: Entry][] = [
  ["a lock from another pid namespace", held(IN_FOREIGN_NAMESPACE)],
  ["an empty file", ""],
  ["half a lock", held().slice(0, 50)],
  ["a file that is no lock", "hello"],
  ["a lock whose nonce is no nonce", held({ nonce: "../../x" })],
  ["a link to nowhere", { link: "nowhere" }],
  ["a link to a lock that is held", { link: "other" }],
  ["a FIFO", { fifo: true }],
];
for (const [what, entry] of WATCHED) {
  test(`acquireLock() watches ${what} for 0.6 s, then takes its place`, () => {
    using tree = tempTree({ [NAME]: entry, other: held() });
    const world = fakeWorld();
    const lock = locked(acquire(tree, world));
    expect(world.clock.ticks).toBeWithin(600, 620);
    lock.release();
    expect(filesIn(tree)).toEqual(["other"]);
    expect(tree.read("other")).toBe(held());
  });
}

test("acquireLock() begins its watch anew when the holder changes", () => {
  using tree = tempTree({ [NAME]: held(IN_FOREIGN_NAMESPACE) });
  const clock = { ticks: 0 };
  const change = () => clock.ticks > 500 && tree.write(NAME, held({ ...IN_FOREIGN_NAMESPACE, nonce: "yetanother" }));
  const world = fakeWorld({ clock, onPause: change });
  expect(acquire(tree, world)).toEqual({ kind: "failed", reason: "held by another process" });
  expect(clock.ticks).toBeWithin(WAIT_MS, WAIT_MS + 13);
});

test("acquireLock() takes the lock over from a process that died while it held the right to remove it", () => {
  const dead = (nonce: string) => held({ pid: DEAD_PID, nonce });
  using tree = tempTree({
    [NAME]: dead("aaaaaaaa"),
    [`${NAME}.aaaaaaaa.gone`]: dead("bbbbbbbb"),
    [`${NAME}.aaaaaaaa.gone.bbbbbbbb.gone`]: dead("cccccccc"),
  });
  const world = fakeWorld();
  locked(acquire(tree, world)).release();
  expect([world.clock.ticks, filesIn(tree)]).toEqual([0, []]);
});

test("release() takes a right over that a process left behind when it died", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, fakeWorld()));
  tree.write(`${NAME}.${lock.nonce}.gone`, held({ pid: DEAD_PID }));
  lock.release();
  expect(filesIn(tree)).toEqual([]);
});

const BROKEN: [when: string, meanwhile: (tree: TempTree) => void, left: string[]][] = [
  ["another process has broken it and holds it", (tree) => tree.write(NAME, held()), [NAME]],
  ["another process has broken it and released it", (tree) => tree.remove(NAME), []],
  ["another process has broken it and not named itself yet", (tree) => tree.write(NAME, ""), [NAME]],
];
for (const [when, meanwhile, left] of BROKEN) {
  test(`finish() does not act when ${when}`, () => {
    using tree = tempTree();
    const lock = locked(acquire(tree, fakeWorld()));
    meanwhile(tree);
    let hasActed = false;
    expect(lock.finish(() => void (hasActed = true))).toBe(false);
    expect([hasActed, filesIn(tree)]).toEqual([false, left]);
  });
}

test("finish() does not act when another process is about to break the lock", () => {
  using tree = tempTree();
  const world = fakeWorld();
  const lock = locked(acquire(tree, world));
  const right = `${NAME}.${lock.nonce}.gone`;
  tree.write(right, held());
  let hasActed = false;
  expect(lock.finish(() => void (hasActed = true))).toBe(false);
  expect([hasActed, filesIn(tree)]).toEqual([false, [NAME, right]]);
  expect(world.clock.ticks).toBeWithin(100, 113);
});

// A process killed in the middle of a release. Nobody can tell that it is gone but by watching, as for a lock.
const UNJUDGEABLE_RIGHTS: [whose: string, text: string][] = [
  ["a process of another pid namespace", held({ ...IN_FOREIGN_NAMESPACE, nonce: "rightsnonce" })],
  ["a process that had not named itself yet", ""],
];
for (const [whose, text] of UNJUDGEABLE_RIGHTS) {
  test(`acquireLock() takes the lock in the end when the right to remove it was left behind by ${whose}`, () => {
    using tree = tempTree({ [NAME]: held(IN_FOREIGN_NAMESPACE), [`${NAME}.othersnonce.gone`]: text });
    expect(acquire(tree, fakeWorld(), { waitMs: 5000 })).toMatchObject({ kind: "locked" });
  });
}

const DEPTH = 6;
/** A lock left behind, the right to remove it too, the right to remove that, and so on. */
function leftBehind(holder: Partial<Holder>): Record<string, string> {
  const names = Array.from({ length: DEPTH }, (_, depth) => `nonce${depth}nonce`);
  return Object.fromEntries(
    names.map((nonce, depth) => {
      const rights = names.slice(0, depth).map((removed) => `.${removed}.gone`);
      return [NAME + rights.join(""), held({ ...holder, nonce })];
    }),
  );
}

// Whatever stands in the lock's place, a hook may not wait longer than it says: a clone can hold any of these.
const IMMOVABLE: [what: string, entries: Record<string, Entry>, refuses?: string][] = [
  ["a directory", { [`${NAME}/file`]: "x" }],
  ["an empty directory", { [`${NAME}/`]: { dir: true } }],
  [
    "a lock whose right to removal is a directory",
    {
      [NAME]: held({ pid: DEAD_PID }),
      [`${NAME}.othersnonce.gone/file`]: "x",
    },
  ],
  ["a lock with rights left behind deeper than anyone digs", leftBehind({ pid: DEAD_PID })],
  ["a lock with rights left behind in another pid namespace", leftBehind(IN_FOREIGN_NAMESPACE)],
  [
    "a lock whose right to removal is held by a process that stands still",
    {
      [NAME]: held({ pid: DEAD_PID }),
      [`${NAME}.othersnonce.gone`]: held(),
    },
  ],
  ["a lock of a dead process that can't be removed", { [NAME]: held({ pid: DEAD_PID }) }, "remove"],
  ["a lock of a dead process on a full disk", { [NAME]: held({ pid: DEAD_PID }) }, "write"],
];
for (const [what, entries, refuses] of IMMOVABLE) {
  test(`acquireLock() comes to an end in time when there is ${what}`, () => {
    using tree = tempTree(entries);
    const world = fakeWorld();
    const refuse = () => () => {
      throw errno(refuses === "write" ? "ENOSPC" : "EPERM");
    };
    using _ = hookDisk(refuses === undefined ? {} : { [refuses]: refuse });
    expect(["failed", "locked"]).toContain(acquire(tree, world).kind);
    expect(world.clock.ticks).toBeLessThan(2 * WAIT_MS);
  });
}

test("acquireLock() writes to no one else's file through a link in the lock's place", () => {
  using tree = tempTree({ victim: "text", [NAME]: { link: "victim" } });
  locked(acquire(tree, fakeWorld())).release();
  expect(tree.read("victim")).toBe("text");
});
