import { judgeHolder, parseHolder, type Holder } from "../core/lock-holder.ts";
import type { World } from "../world.ts";
import { disk, errnoOf } from "./disk.ts";
import { describeSelf, sight } from "./process-facts.ts";
import { readStart } from "./read-file.ts";
import { createFile, removeQuietly } from "./write-file.ts";

/**
 * A lock file, held by one process at a time, that survives the death of its holder.
 *
 * It is made by exclusive creation and names its holder. Only two may remove it: the holder, and whoever finds
 * the holder gone. Either must first hold the lock's *removal right*, itself such a lock, named after the nonce
 * of the lock to be removed. So a lock is removed once, by one process, and a slow one can't remove a successor.
 */
export interface Lock {
  readonly nonce: string;
  /**
   * Runs `act` and releases the lock, if the lock is still ours: no one can break it meanwhile.
   * @output whether `act` ran
   * @error  whatever `act` throws, after the release
   */
  finish(act: () => void): boolean;
  /** Releases without acting. */
  release(): void;
}

export type LockAttempt =
  | { readonly kind: "locked"; readonly lock: Lock }
  | { readonly kind: "settled" }
  | { readonly kind: "failed"; readonly reason: string };

export interface LockRequest {
  readonly path: string;
  readonly waitMs: number;
  /** Asked while waiting: true ends the wait, because another process has done what we wanted to do. */
  readonly isSettled?: () => boolean;
  /** What a dead holder left behind, by its nonce. */
  readonly cleanUpAfter?: (nonce: string) => void;
}

/** How long a holder that can't be judged must stay unchanged before it counts as gone. */
const UNJUDGEABLE_MS = 600;
const MAX_PAUSE_MS = 12;
/** How long a holder waits for the right to remove its own lock, which is taken only when someone thinks it gone. */
const RIGHT_WAIT_MS = 100;
/** A removal right may itself be left behind by a process that died; deeper than this nobody digs. */
const MAX_DEPTH = 3;

/**
 * @output the lock, or why it was not taken: settled by someone else, not had in time, not possible here
 * @effect the lock file; pauses, never longer than `waitMs` in all
 * @error  none
 */
export function acquireLock(world: World, request: LockRequest): LockAttempt {
  return acquire(world, request, describeSelf(world), 0);
}

interface Seen {
  readonly id: string;
  readonly holder: Holder | undefined;
}

function acquire(world: World, request: LockRequest, self: Holder, depth: number): LockAttempt {
  const deadline = world.ticks() + request.waitMs;
  let watched: { id: string; since: number } | undefined;
  for (let round = 0; ; round++) {
    const created = createFile(request.path, JSON.stringify(self));
    if (created.kind === "written") return { kind: "locked", lock: holdLock(world, request.path, self) };
    if (created.errno !== "EEXIST") return { kind: "failed", reason: created.errno };
    const seen = lookAt(request.path);
    const leftMs = deadline - world.ticks();
    if (seen !== undefined) {
      if (watched?.id !== seen.id) watched = { id: seen.id, since: world.ticks() };
      const isBreakable = depth < MAX_DEPTH && isGone(world, seen, self, world.ticks() - watched.since);
      if (isBreakable && breakLock(world, { ...request, waitMs: leftMs }, seen, self, depth)) continue;
    }
    if (request.isSettled?.()) return { kind: "settled" };
    if (world.ticks() >= deadline) return { kind: "failed", reason: "held by another process" };
    world.pause(Math.min(MAX_PAUSE_MS, 1 + round));
  }
}

function holdLock(world: World, path: string, self: Holder): Lock {
  function finish(act: () => void): boolean {
    const right = acquire(world, { path: removalRight(path, self.nonce), waitMs: RIGHT_WAIT_MS }, self, 1);
    if (right.kind !== "locked") return false;
    try {
      if (lookAt(path)?.id !== self.nonce) return false;
      try {
        act();
      } finally {
        removeQuietly(path);
      }
      return true;
    } finally {
      removeQuietly(removalRight(path, self.nonce));
    }
  }
  return { nonce: self.nonce, finish, release: () => void finish(() => {}) };
}

/** Removes a lock whose holder is gone; false when it is still there, or was replaced meanwhile. */
function breakLock(world: World, request: LockRequest, seen: Seen, self: Holder, depth: number): boolean {
  const path = removalRight(request.path, seen.id);
  const right = acquire(world, { path, waitMs: request.waitMs }, self, depth + 1);
  if (right.kind !== "locked") return false;
  const isSame = lookAt(request.path)?.id === seen.id;
  if (isSame) {
    request.cleanUpAfter?.(seen.id);
    removeQuietly(request.path);
    world.trace("lock-broken", { path: request.path, holder: seen.id });
  }
  removeQuietly(path);
  return isSame && lookAt(request.path)?.id !== seen.id;
}

function isGone(world: World, seen: Seen, self: Holder, watchedMs: number): boolean {
  // A holder that can't be read may be about to write its name, or have died before it could.
  if (seen.holder === undefined) return watchedMs >= UNJUDGEABLE_MS;
  switch (judgeHolder(seen.holder, self, sight(world, seen.holder.pid))) {
    case "holds":
      return false;
    case "gone":
      return true;
    case "unknown":
      return watchedMs >= UNJUDGEABLE_MS;
  }
}

/** What stands at the lock's path: named by its nonce, or by its inode while it has none. */
function lookAt(path: string): Seen | undefined {
  const read = readStart(path, 1024);
  if (read.kind === "read") {
    const holder = parseHolder(new TextDecoder().decode(read.bytes));
    return { id: holder?.nonce ?? `inode-${read.identity.replace(":", "-")}`, holder };
  }
  if (read.kind === "absent") return undefined;
  try {
    return disk.look(path) === undefined ? undefined : { id: "not-a-lock", holder: undefined };
  } catch (error) {
    return { id: `unseen-${errnoOf(error)}`, holder: undefined };
  }
}

function removalRight(path: string, id: string): string {
  return `${path}.${id}.gone`;
}
