import { expect, test } from "bun:test";
import { acquireLock } from "../../src/lib/lock.ts";
import { describeSelf } from "../../src/lib/lock.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { errno, hookDisk } from "../support/disk-hooks.ts";
import { acquire, filesIn, held, locked, NAME, newWorld, WAIT_MS } from "./lock-samples.ts";

test("acquireLock() names its holder, and finish() leaves nothing", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, newWorld()));
  expect(JSON.parse(tree.read(NAME))).toEqual({ ...describeSelf(newWorld()), nonce: lock.nonce });
  let seen: string[] = [];
  const isDone = lock.finish(() => void (seen = filesIn(tree)));
  expect([isDone, seen]).toEqual([true, [NAME, `${NAME}.${lock.nonce}.gone`]]);
  expect(filesIn(tree)).toEqual([]);
});

test("release() leaves nothing", () => {
  using tree = tempTree();
  locked(acquire(tree, newWorld())).release();
  expect(filesIn(tree)).toEqual([]);
});

test("finish() releases the lock when what it runs throws", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, newWorld()));
  const fail = () => {
    throw new Error("full");
  };
  expect(() => lock.finish(fail)).toThrow("full");
  expect(filesIn(tree)).toEqual([]);
});

test("acquireLock() fails at once when the lock can't be made", () => {
  using tree = tempTree();
  const world = newWorld();
  const path = tree.path("missing", NAME);
  expect(acquireLock(world, { path, waitMs: WAIT_MS })).toEqual({ kind: "failed", reason: "ENOENT" });
  expect(world.clock.ticks).toBe(0);
});

test("acquireLock() waits for a holder that lives, and gives up in time", () => {
  using tree = tempTree({ [NAME]: held() });
  const world = newWorld();
  expect(acquire(tree, world)).toEqual({ kind: "failed", reason: "held by another process" });
  expect(world.clock.ticks).toBeWithin(WAIT_MS, WAIT_MS + 13);
  expect(tree.read(NAME)).toBe(held());
});

test("acquireLock() takes the lock when its holder releases it", () => {
  using tree = tempTree();
  const holder = locked(acquire(tree, newWorld()));
  const clock = { ticks: 0 };
  const world = newWorld({
    clock,
    onPause: () => clock.ticks > 100 && filesIn(tree).length === 1 && holder.release(),
  });
  expect(locked(acquire(tree, world)).nonce).not.toBe(holder.nonce);
  expect(clock.ticks).toBeWithin(100, 130);
});

test("acquireLock() ends its wait when the matter is settled", () => {
  using tree = tempTree({ [NAME]: held() });
  const world = newWorld();
  expect(acquire(tree, world, { isSettled: () => world.clock.ticks > 50 })).toEqual({ kind: "settled" });
  expect(world.clock.ticks).toBeWithin(50, 100);
});

test("finish() acts when the right to remove the lock can't be made, as on a full disk", () => {
  using tree = tempTree();
  const lock = locked(acquire(tree, newWorld()));
  const refuse = () => () => {
    throw errno("ENOSPC");
  };
  using _ = hookDisk({ write: refuse });
  let hasActed = false;
  expect(lock.finish(() => void (hasActed = true))).toBe(true);
  expect([hasActed, filesIn(tree)]).toEqual([true, []]);
});

const BROKEN: [when: string, meanwhile: (tree: TempTree) => void, left: string[]][] = [
  ["another process has broken it and holds it", (tree) => tree.write(NAME, held()), [NAME]],
  ["another process has broken it and released it", (tree) => tree.remove(NAME), []],
  ["another process has broken it and not named itself yet", (tree) => tree.write(NAME, ""), [NAME]],
];
for (const [when, meanwhile, left] of BROKEN) {
  test(`finish() does not act when ${when}`, () => {
    using tree = tempTree();
    const lock = locked(acquire(tree, newWorld()));
    meanwhile(tree);
    let hasActed = false;
    expect(lock.finish(() => void (hasActed = true))).toBe(false);
    expect([hasActed, filesIn(tree)]).toEqual([false, left]);
  });
}

test("finish() does not act when another process is about to break the lock", () => {
  using tree = tempTree();
  const world = newWorld();
  const lock = locked(acquire(tree, world));
  const right = `${NAME}.${lock.nonce}.gone`;
  tree.write(right, held());
  let hasActed = false;
  expect(lock.finish(() => void (hasActed = true))).toBe(false);
  expect([hasActed, filesIn(tree)]).toEqual([false, [NAME, right]]);
  expect(world.clock.ticks).toBeWithin(100, 113);
});
