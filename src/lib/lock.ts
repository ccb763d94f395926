import type { World } from "../world.ts";
import { disk, errnoOf, identityOf, wholeMs } from "./fs.ts";
import { readText } from "./read-file.ts";
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
  /** How long one living holder is waited for before its lock is broken; for ever when absent. */
  readonly patienceMs?: number;
  /** What a dead holder left behind, by its nonce. */
  readonly cleanUpAfter?: (nonce: string) => void;
}

/** How long a holder that can't be judged must stay unchanged before it counts as gone. */
const UNJUDGEABLE_MS = 600;

/**
 * Nor is a lock held that has stood unchanged this long by its time: without this rule a lock and the right to remove
 * it, both left behind in another namespace, would be watched anew by each call, for longer than it waits.
 */
const OLD_MS = 1_500;

const MAX_PAUSE_MS = 12;

/** Who has waited this long asks more often than those who came after: else, where many wait, some would never be the next. */
const LONG_WAIT_MS = 200;

const PAUSE_AFTER_LONG_MS = 2;

/** How many pauses go by before the question whether to wait at all is asked again: it costs a read of the ledger. */
const ROUNDS_A_QUESTION = 4;

export const HELD = "held by another process";

/** None of ours is larger. */
const MAX_LOCK_BYTES = 64 * 1024;

/** How long a holder waits for the right to remove its own lock, which is taken only when someone thinks it gone. */
const RIGHT_WAIT_MS = 100;

/** A removal right may itself be left behind by a process that died; deeper than this nobody digs. */
const MAX_DEPTH = 3;

/**
 * @output the lock, or why it was not taken: settled by someone else, not had in time, not possible here
 * @effect the lock file; pauses, never longer than `waitMs` in all
 */
export function acquireLock(world: World, request: LockRequest): LockAttempt {
  return acquire(world, request, describeSelf(world), 0);
}

/**
 * Who a lock says that holds it, and whether that process lives.
 *
 * @output undefined where there is no lock, or one that names nobody
 */
export function findHolder(world: World, path: string): { pid: number; state: HolderState } | undefined {
  const holder = lookAt(world, path)?.holder;
  if (holder === undefined) return undefined;
  return { pid: holder.pid, state: judgeHolder(holder, describeSelf(world), sight(world, holder.pid)) };
}

interface Seen {
  readonly id: string;
  readonly holder: Holder | undefined;
  /** When it was made, by the wall clock. */
  readonly madeAtMs: number;
}

function acquire(world: World, request: LockRequest, self: Holder, depth: number): LockAttempt {
  // The clock is asked only by those who wait: its first use takes longer than the lock.
  let deadline: number | undefined;
  let watched: { id: string; since: number } | undefined;
  for (let round = 0; ; round++) {
    const created = createFile(request.path, JSON.stringify(self));
    if (created.kind === "written") return { kind: "locked", lock: holdLock(world, request.path, self) };
    if (created.errno !== "EEXIST") return { kind: "failed", reason: created.errno };
    deadline ??= world.ticks() + request.waitMs;
    const seen = lookAt(world, request.path);
    const leftMs = deadline - world.ticks();
    if (seen !== undefined) {
      if (watched?.id !== seen.id) watched = { id: seen.id, since: world.ticks() };
      const watchedMs = world.ticks() - watched.since;
      const isOverdue = watchedMs > (request.patienceMs ?? Number.POSITIVE_INFINITY);
      const isBreakable = depth < MAX_DEPTH && (isOverdue || isGone(world, seen, self, watchedMs));
      if (isBreakable && breakLock(world, { ...request, waitMs: leftMs }, seen, self, depth)) continue;
    }
    const isLast = world.ticks() >= deadline;
    if ((isLast || round % ROUNDS_A_QUESTION === 0) && request.isSettled?.()) return { kind: "settled" };
    if (isLast) return { kind: "failed", reason: HELD };
    const isLongWait = request.waitMs - leftMs > LONG_WAIT_MS;
    world.pause(isLongWait ? PAUSE_AFTER_LONG_MS : Math.min(MAX_PAUSE_MS, 1 + round));
  }
}

function holdLock(world: World, path: string, self: Holder): Lock {
  function finish(act: () => void): boolean {
    const right = acquire(world, { path: removalRight(path, self.nonce), waitMs: RIGHT_WAIT_MS }, self, 1);
    // Where no right can be made, as on a full disk, nobody else makes one either.
    if (right.kind === "failed" && right.reason === HELD) return false;
    try {
      if (lookAt(world, path)?.id !== self.nonce) return false;
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
  const isSame = lookAt(world, request.path)?.id === seen.id;
  if (isSame) {
    request.cleanUpAfter?.(seen.id);
    removeQuietly(request.path);
  }
  removeQuietly(path);
  const isBroken = isSame && lookAt(world, request.path)?.id !== seen.id;
  if (isBroken) world.trace("lock-broken", { path: request.path, holder: seen.id });
  return isBroken;
}

function isGone(world: World, seen: Seen, self: Holder, watchedMs: number): boolean {
  const isOld = watchedMs >= UNJUDGEABLE_MS || world.now() - seen.madeAtMs > OLD_MS;
  // A holder that can't be read may be about to write its name, or have died before it could.
  if (seen.holder === undefined) return isOld;
  switch (judgeHolder(seen.holder, self, sight(world, seen.holder.pid))) {
    case "holds":
      return false;
    case "gone":
      return true;
    case "unknown":
      return isOld;
  }
}

/** What stands at the lock's path: named by its nonce, or by its inode while it has none. */
function lookAt(world: World, path: string): Seen | undefined {
  const read = readText(path, MAX_LOCK_BYTES);
  if (read.kind === "text") {
    const holder = parseHolder(read.text);
    const id = holder?.nonce ?? `inode-${identityOf(read.stats).replace(":", "-")}`;
    return { id, holder, madeAtMs: wholeMs(read.stats) };
  }
  if (read.kind === "absent") return undefined;
  try {
    const stats = disk.look(path);
    return stats && { id: "not-a-lock", holder: undefined, madeAtMs: stats.mtimeMs };
  } catch (error) {
    return { id: `unseen-${errnoOf(error)}`, holder: undefined, madeAtMs: world.now() };
  }
}

function removalRight(path: string, id: string): string {
  return `${path}.${id}.gone`;
}

/** What a lock file says about the process that holds it. */
export interface Holder {
  readonly pid: number;
  /** When that process began, in the kernel's own units; "" where it can't be known. */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly nonce: string;
}

/** What can be seen of that process from here. */
export interface Sighting {
  readonly isAlive: boolean;
  /** The start time of the process that has the pid now; "" where it can't be known. */
  readonly startTime: string;
}

export type HolderState = "holds" | "gone" | "unknown";

/** `unknown`: it may live in another pid namespace, where its pid means nothing here. */
export function judgeHolder(holder: Holder, own: Holder, seen: Sighting): HolderState {
  if (holder.bootId !== own.bootId) return holder.bootId === "" || own.bootId === "" ? "unknown" : "gone";
  if (holder.pidNamespace !== own.pidNamespace) return "unknown";
  if (!seen.isAlive) return "gone";
  const isSuccessor = holder.startTime !== "" && seen.startTime !== "" && holder.startTime !== seen.startTime;
  return isSuccessor ? "gone" : "holds";
}

export function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startTime, bootId, pidNamespace, nonce } = JSON.parse(text);
    const isProcess = Number.isSafeInteger(pid) && pid > 0 && typeof startTime === "string";
    const isPlaced = typeof bootId === "string" && typeof pidNamespace === "string";
    return isProcess && isPlaced && isNonce(nonce) ? { pid, startTime, bootId, pidNamespace, nonce } : undefined;
  } catch {
    return undefined;
  }
}

/** It becomes part of a file name. No pattern: each call that records comes by here, and compiling one takes longer. */
function isNonce(value: unknown): value is string {
  if (typeof value !== "string" || value.length < 8 || value.length > 32) return false;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a))) return false;
  }
  return true;
}

/** This process as a lock holder. Where there is no /proc the parts that come from it are empty. */
export function describeSelf(world: World): Holder {
  return {
    pid: world.pid,
    startTime: startTimeOf(world.pid),
    bootId: readProc("/proc/sys/kernel/random/boot_id").trim(),
    pidNamespace: linkText("/proc/self/ns/pid"),
    nonce: world.random(),
  };
}

export function sight(world: World, pid: number): Sighting {
  return { isAlive: world.isAlive(pid), startTime: startTimeOf(pid) };
}

/** Field 22 of /proc/PID/stat; the name before it may hold spaces and parentheses. */
function startTimeOf(pid: number): string {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function linkText(path: string): string {
  try {
    return disk.readLink(path);
  } catch {
    return "";
  }
}

function readProc(path: string): string {
  const read = readText(path, 4096);
  return read.kind === "text" ? read.text : "";
}
