import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { Holder } from "../../src/lib/lock.ts";
import { fakeWorld } from "../support/fake-world.ts";
import { tempTree, type Entry } from "../support/temp-tree.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";
import {
  acquire,
  DEAD_PID,
  filesIn,
  held,
  IN_FOREIGN_NAMESPACE,
  locked,
  NAME,
  newWorld,
  WAIT_MS,
} from "./lock-samples.ts";

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
    const world = newWorld();
    const cleaned: string[] = [];
    const { nonce } = locked(acquire(tree, world, { cleanUpAfter: (left: string) => void cleaned.push(left) }));
    expect(JSON.parse(tree.read(NAME)).nonce).toBe(nonce);
    expect([world.clock.ticks, cleaned, filesIn(tree)]).toEqual([0, ["othersnonce"], [NAME]]);
    expect(world.stages).toContain("lock-broken");
  });
}

/** Older than anyone holds the lock of a ledger. */
const LONG_AGO_MS = 16_000;
const WITHOUT_START: [when: string, ageMs: number, isLong: boolean, isTaken: boolean][] = [
  ["old, for its pid may be another process's now", LONG_AGO_MS, false, true],
  ["young", 5000, false, false],
  ["old and held for as long as a program runs", LONG_AGO_MS, true, false],
];
for (const [when, ageMs, isLong, isTaken] of WITHOUT_START) {
  test(`acquireLock() ${isTaken ? "takes" : "waits for"} a lock without a start time that is ${when}`, () => {
    using tree = tempTree({ [NAME]: held({ startTime: "" }) });
    const world = newWorld({ epochMs: Date.now() + ageMs });
    const attempt = acquire(tree, world, { isLong });
    expect([attempt.kind, world.clock.ticks < 1]).toEqual([isTaken ? "locked" : "failed", isTaken]);
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
    const world = newWorld();
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
  const world = newWorld({ clock, onPause: change });
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
  const world = newWorld();
  locked(acquire(tree, world)).release();
  expect([world.clock.ticks, filesIn(tree)]).toEqual([0, []]);
});

test("release() takes a right over that a process left behind when it died", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, newWorld()));
  tree.write(`${NAME}.${lock.nonce}.gone`, held({ pid: DEAD_PID }));
  lock.release();
  expect(filesIn(tree)).toEqual([]);
});

const OLD_MS = 15_000;
const UNJUDGEABLE: [whose: string, text: string][] = [
  ["a process of another pid namespace", held({ ...IN_FOREIGN_NAMESPACE, nonce: "rightsnonce" })],
  ["a process that had not named itself yet", ""],
];
for (const [whose, text] of UNJUDGEABLE) {
  test(`acquireLock() takes the place of an old lock of ${whose} at once`, () => {
    using tree = tempTree({ [NAME]: text });
    const world = newWorld({ epochMs: Date.now() + OLD_MS + 1000 });
    expect([acquire(tree, world).kind, world.clock.ticks]).toEqual(["locked", 0]);
  });

  // A process killed in the middle of a release: the lock, and the right to remove it, both to be watched.
  test(`acquireLock() takes the lock when the right to remove it was left behind by ${whose}, and is old`, () => {
    using tree = tempTree({ [NAME]: held(IN_FOREIGN_NAMESPACE), [`${NAME}.othersnonce.gone`]: text });
    expect(acquire(tree, newWorld()).kind).toBe("failed");
    const world = newWorld({ epochMs: Date.now() + OLD_MS + 1000 });
    expect([acquire(tree, world).kind, filesIn(tree)]).toEqual(["locked", [NAME]]);
  });
}

test("acquireLock() does not take a living holder's lock, however old", () => {
  using tree = tempTree({ [NAME]: held() });
  expect(acquire(tree, fakeWorld()).kind).toBe("failed");
});

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
    const world = newWorld();
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
  locked(acquire(tree, newWorld())).release();
  expect(tree.read("victim")).toBe("text");
});
