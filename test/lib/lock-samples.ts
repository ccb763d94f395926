import { readdirSync } from "node:fs";
import type { Holder } from "../../src/lib/lock.ts";
import { acquireLock, type Lock, type LockAttempt } from "../../src/lib/lock.ts";
import { describeSelf } from "../../src/lib/lock.ts";
import { fakeWorld, type FakeWorld, type FakeWorldOptions } from "../support/fake-world.ts";
import type { TempTree } from "../support/temp-tree.ts";

export const NAME = "session.json.lock";
/** No system gives out a pid like this. */
export const DEAD_PID = 2 ** 30;
export const WAIT_MS = 1000;
export const IN_FOREIGN_NAMESPACE: Partial<Holder> = { pidNamespace: "pid:[1]", pid: DEAD_PID };

/** A lock's age counts: here the files of a test are made now. */
export function newWorld(options: FakeWorldOptions = {}): FakeWorld {
  return fakeWorld({ epochMs: Date.now(), ...options });
}

/** The text of a lock that another process made on this machine. */
export function held(holder: Partial<Holder> = {}): string {
  return JSON.stringify({ ...describeSelf(newWorld()), nonce: "othersnonce", ...holder });
}

export function acquire(tree: TempTree, world: FakeWorld, more: object = {}): LockAttempt {
  return acquireLock(world, { path: tree.path(NAME), waitMs: WAIT_MS, ...more });
}

export function locked(attempt: LockAttempt): Lock {
  if (attempt.kind !== "locked") throw new Error(JSON.stringify(attempt));
  return attempt.lock;
}

export const filesIn = (tree: TempTree) => readdirSync(tree.root).toSorted();
