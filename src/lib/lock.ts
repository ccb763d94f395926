import { sep } from "node:path";
import type { World } from "../world.ts";
import { disk, errnoOf, identityOf, isInUse, wholeMs } from "./fs.ts";
import { readText } from "./read-file.ts";
import { createFile, removeQuietly } from "./write-file.ts";

/**
 * A lock file, held by one process at a time, that survives the death of its holder.
 *
 * It is created exclusively and names its holder. Only two processes may remove it: the holder, and one that finds the
 * holder dead. Either must first hold the lock's *removal right*, itself such a lock, named after the nonce of the lock
 * to be removed. So a lock is removed once, by one process, and a slow process can't remove its successor.
 */
export interface Lock {
  readonly nonce: string;
  /**
   * Runs `act` and releases the lock, if it is still ours; nobody can break it meanwhile.
   * @output whether `act` ran
   * @error  anything that `act` throws, after the release
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
  /** Called while waiting: true ends the wait, because another process has done the work. */
  readonly isSettled?: () => boolean;
  /** How long to wait for a living holder before breaking its lock; for ever if absent. */
  readonly patienceMs?: number;
  /** Removes what a dead holder, identified by its nonce, left behind. */
  readonly cleanUpAfter?: (nonce: string) => void;
  /** It is held as long as a program runs. */
  readonly isLong?: boolean;
}

/** How long a lock whose holder can't be checked must stay unchanged before it counts as stale. */
const UNJUDGEABLE_MS = 600;

/**
 * Treats locks older than this as stale. Otherwise a lock and its removal right, both left by another namespace, would
 * be watched anew by each call, for longer than the call waits.
 */
const OLD_MS = 1_500;

/**
 * If start times are unknown, another process may have a dead holder's pid. Treat a lock as stale once it is older than
 * any holder keeps it: a stalled reader may delay a holder for 10 s.
 */
const HOLDING_MS = 15_000;

/** Windows refuses to create a file that another process is removing. */
const REMOVING_MS = 300;

const MAX_PAUSE_MS = 12;

/** Poll faster after waiting this long: among many waiters, some would otherwise never get the lock. */
const LONG_WAIT_MS = 200;

const PAUSE_AFTER_LONG_MS = 2;

/** How many pauses between two calls of `isSettled`, each of which reads the ledger. */
const ROUNDS_A_QUESTION = 4;

export const HELD = "held by another process";

/** Larger than any lock of ours. */
const MAX_LOCK_BYTES = 64 * 1024;

/** How long a holder waits for the right to remove its own lock. Only a process that thinks it dead takes that. */
const RIGHT_WAIT_MS = 100;

/** A removal right may be left behind too, and so may the right to remove that. */
const MAX_DEPTH = 3;

/**
 * @output the lock, or why it was not acquired: settled by another process, timed out, or impossible here
 * @effect the lock file; pauses, never longer than `waitMs` in all
 */
export function acquireLock(world: World, request: LockRequest): LockAttempt {
  return acquire(world, request, describeSelf(world), 0);
}

/**
 * The process that holds a lock, and whether it is alive.
 *
 * @output undefined if there is no lock, or none with a holder's name
 */
export function findHolder(world: World, path: string): { pid: number; state: HolderState } | undefined {
  const holder = lookAt(world, path)?.holder;
  if (holder === undefined) return undefined;
  return { pid: holder.pid, state: holderState(holder, describeSelf(world), sight(world, holder.pid)) };
}

interface Seen {
  readonly id: string;
  readonly holder: Holder | undefined;
  /** When it was created, by the wall clock. */
  readonly madeAtMs: number;
}

function acquire(world: World, request: LockRequest, self: Holder, depth: number): LockAttempt {
  // Don't read the clock before waiting: its first use takes longer than taking the lock.
  let deadline: number | undefined;
  let refusedSince: number | undefined;
  let watched: { id: string; since: number } | undefined;
  for (let round = 0; ; round++) {
    const created = createFile(request.path, JSON.stringify(self));
    if (created.kind === "written") return { kind: "locked", lock: holdLock(world, request.path, self) };
    const isThere = created.errno === "EEXIST";
    if (!isThere && !isInUse(created.errno)) return { kind: "failed", reason: created.errno };
    refusedSince = isThere ? undefined : (refusedSince ?? world.ticks());
    deadline ??= world.ticks() + request.waitMs;
    const seen = lookAt(world, request.path);
    const leftMs = deadline - world.ticks();
    if (seen !== undefined) {
      if (watched?.id !== seen.id) watched = { id: seen.id, since: world.ticks() };
      const watchedMs = world.ticks() - watched.since;
      const isOverdue = watchedMs > (request.patienceMs ?? Number.POSITIVE_INFINITY);
      const isBreakable = depth < MAX_DEPTH && (isOverdue || isGone(world, request, seen, self, watchedMs));
      if (isBreakable && breakLock(world, { ...request, waitMs: leftMs }, seen, self, depth)) continue;
    }
    const isRefused = refusedSince !== undefined && world.ticks() - refusedSince >= REMOVING_MS;
    const isLast = isRefused || world.ticks() >= deadline;
    if ((isLast || round % ROUNDS_A_QUESTION === 0) && request.isSettled?.()) return { kind: "settled" };
    if (isLast) return { kind: "failed", reason: isThere ? HELD : created.errno };
    const isLongWait = request.waitMs - leftMs > LONG_WAIT_MS;
    world.pause(isLongWait ? PAUSE_AFTER_LONG_MS : Math.min(MAX_PAUSE_MS, 1 + round));
  }
}

function holdLock(world: World, path: string, self: Holder): Lock {
  function finish(act: () => void): boolean {
    const right = acquire(world, { path: removalRight(path, self.nonce), waitMs: RIGHT_WAIT_MS }, self, 1);
    // If no right can be created, as on a full disk, nobody else can create one either.
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

/** Removes a lock whose holder is gone; false if it is still there, or was replaced meanwhile. */
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

function isGone(world: World, { isLong }: LockRequest, seen: Seen, self: Holder, watchedMs: number): boolean {
  const isOld = watchedMs >= UNJUDGEABLE_MS || world.now() - seen.madeAtMs > OLD_MS;
  // An empty lock may be about to get its holder's name, or its holder died before writing it.
  if (seen.holder === undefined) return isOld;
  const sighting = sight(world, seen.holder.pid);
  switch (holderState(seen.holder, self, sighting)) {
    case "holds": {
      const isSure = isLong === true || (seen.holder.startTime !== "" && sighting.startTime !== "");
      return !isSure && world.now() - seen.madeAtMs > HOLDING_MS;
    }
    case "gone":
      return true;
    case "unknown":
      return isOld;
  }
}

/** The lock at a path, identified by its nonce, or by its inode while it has none. */
function lookAt(world: World, path: string): Seen | undefined {
  const read = readText(path, MAX_LOCK_BYTES);
  if (read.kind === "text") {
    const holder = parseHolder(read.text);
    const id = holder?.nonce ?? `inode-${identityOf(read.stats).replaceAll(":", "-")}`;
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
  /** When that process started, in the kernel's own units; "" if unknown. */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly nonce: string;
}

/** What is known locally about that process. */
export interface Sighting {
  readonly isAlive: boolean;
  /** The start time of the process that has the pid now; "" if unknown. */
  readonly startTime: string;
}

export type HolderState = "holds" | "gone" | "unknown";

/** `unknown`: it may live in another pid namespace, where its pid means nothing here. */
export function holderState(holder: Holder, own: Holder, seen: Sighting): HolderState {
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

/** It becomes part of a file name. */
function isNonce(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-z]{8,32}$/.test(value);
}

/** This process as a lock holder. Without /proc, the parts that come from it are empty. */
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

/** Field 22 of /proc/PID/stat; the name before it may contain spaces and parentheses. */
function startTimeOf(pid: number): string {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function linkText(path: string): string {
  try {
    if (sep !== "/") return "";
    return disk.readLink(path);
  } catch {
    return "";
  }
}

/** On Windows that path leads to an ordinary directory. */
function readProc(path: string): string {
  if (sep !== "/") return "";
  const read = readText(path, 4096);
  return read.kind === "text" ? read.text : "";
}
