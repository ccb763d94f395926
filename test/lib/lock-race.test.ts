import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { acquireLock, type LockAttempt } from "../../src/lib/lock.ts";
import { describeSelf } from "../../src/lib/lock.ts";
import { fakeWorld, type FakeWorld } from "../support/fake-world.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { hookDisk, once } from "../support/disk-hooks.ts";

const NAME = "session.json.lock";
const OWN_PID = process.pid;
/** A process that lives, so that its start time can be read. */
const OTHER_PID = process.ppid > 0 ? process.ppid : 1;
const DEAD_PID = 2 ** 30;

interface Race {
  readonly tree: TempTree;
  readonly path: string;
  readonly first: FakeWorld;
  readonly second: FakeWorld;
  /** What became of the second process, when it has run. */
  attempt: LockAttempt | undefined;
  /** Lets the second process try for the lock, to the end. */
  run(): void;
}

/** Two processes that share the time, and a lock that a dead one has left. */
function race(tree: TempTree): Race {
  const clock = { ticks: 0 };
  const path = tree.path(NAME);
  const self: Race = {
    tree,
    path,
    first: fakeWorld({ clock, pid: OWN_PID, alive: [OTHER_PID] }),
    second: fakeWorld({ clock, pid: OTHER_PID, alive: [OWN_PID] }),
    attempt: undefined,
    run: () => void (self.attempt = acquireLock(self.second, { path, waitMs: 1000 })),
  };
  return self;
}

const leftBehind = () => JSON.stringify({ ...describeSelf(fakeWorld({ pid: DEAD_PID })), nonce: "deadsnonce" });
const nonceIn = (tree: TempTree) => JSON.parse(tree.read(NAME)).nonce as unknown;

test("acquireLock() leaves the lock of the second process when that was faster to break the old one", () => {
  using tree = tempTree({ [NAME]: leftBehind() });
  const both = race(tree);
  // The first has judged the holder gone, and is about to take the right to remove its lock.
  using _ = hookDisk({ openToCreate: once((path) => path.endsWith(".gone"), both.run) });
  const attempt = acquireLock(both.first, { path: both.path, waitMs: 1000 });
  expect(both.attempt).toMatchObject({ kind: "locked" });
  expect(attempt).toEqual({ kind: "failed", reason: "held by another process" });
  expect(both.attempt?.kind === "locked" && both.attempt.lock.nonce).toBe(nonceIn(tree) as string);
});

test("acquireLock() waits when the second process takes the place of the lock that the first removed", () => {
  using tree = tempTree({ [NAME]: leftBehind() });
  const both = race(tree);
  let isRemoved = false;
  using _ = hookDisk({
    remove: (original) => (path) => {
      original(path);
      isRemoved ||= path === both.path;
    },
    openToCreate: once((path) => isRemoved && path === both.path, both.run),
  });
  const attempt = acquireLock(both.first, { path: both.path, waitMs: 1000 });
  expect(both.attempt).toMatchObject({ kind: "locked" });
  expect(attempt).toEqual({ kind: "failed", reason: "held by another process" });
});

test("acquireLock() gives the lock to the first when the second comes while it removes the old one", () => {
  using tree = tempTree({ [NAME]: leftBehind() });
  const both = race(tree);
  using _ = hookDisk({ remove: once((path) => path === both.path, both.run) });
  const attempt = acquireLock(both.first, { path: both.path, waitMs: 5000 });
  expect(both.attempt).toMatchObject({ kind: "failed" });
  expect(attempt.kind === "locked" && attempt.lock.nonce).toBe(nonceIn(tree) as string);
});

test("acquireLock() gives the lock to one of two that wait, and then to the other", () => {
  using tree = tempTree();
  const clock = { ticks: 0 };
  const path = tree.path(NAME);
  const holder = acquireLock(fakeWorld({ clock }), { path, waitMs: 0 });
  const other = fakeWorld({ clock, pid: OTHER_PID, alive: [OWN_PID] });
  const order: string[] = [];
  const waiter = fakeWorld({
    clock,
    alive: [OTHER_PID],
    onPause() {
      if (order.length > 0 || clock.ticks < 100 || holder.kind !== "locked") return;
      holder.lock.release();
      const second = acquireLock(other, { path, waitMs: 500 });
      order.push(`other ${second.kind}`);
      if (second.kind === "locked") second.lock.release();
    },
  });
  const first = acquireLock(waiter, { path, waitMs: 1000 });
  order.push(`waiter ${first.kind}`);
  expect(order).toEqual(["other locked", "waiter locked"]);
  if (first.kind === "locked") first.lock.release();
  expect(readdirSync(tree.root)).toEqual([]);
});

test("finish() of a slow holder leaves the lock of who took over from it", () => {
  using tree = tempTree();
  const clock = { ticks: 0 };
  const path = tree.path(NAME);
  const slow = acquireLock(fakeWorld({ clock, pid: DEAD_PID }), { path, waitMs: 0 });
  const next = acquireLock(fakeWorld({ clock }), { path, waitMs: 1000 });
  expect([slow.kind, next.kind]).toEqual(["locked", "locked"]);
  const acted: string[] = [];
  if (slow.kind === "locked") expect(slow.lock.finish(() => void acted.push("slow"))).toBe(false);
  if (next.kind === "locked") expect(next.lock.finish(() => void acted.push("next"))).toBe(true);
  expect(acted).toEqual(["next"]);
  expect(readdirSync(tree.root)).toEqual([]);
});
