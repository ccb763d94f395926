import { join } from "node:path";
import { disk } from "../../lib/fs.ts";
import { acquireLock, describeSelf, holderState, parseHolder, sight } from "../../lib/lock.ts";
import { readText } from "../../lib/read-file.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { readRun } from "../run/store.ts";
import { asString, parseObject } from "../engines/answers.ts";
import { ExecutionError } from "../errors.ts";

/** A run's claim to work on a branch. It ends with the process, or with the guided run for which it was kept. */
interface IssueClaim {
  /** The instance that held it and died. */
  readonly takenOver: string | undefined;
  /** May be called again. */
  release(): void;
  /** Leaves the claim to a guided run, whose record is in a directory. */
  keep(directory: string): void;
}

const MAX_BYTES = 4096;

const LOCK_WAIT_MS = 1000;

/**
 * @input  directory: shared by all worktrees of the repository
 * @effect a file that names this process and its instance
 * @error  ExecutionError, not recoverable, while another process holds the branch, or may: a process in another
 *          container can't be seen from here
 */
export function claimBranch(world: World, directory: string, branch: string, instance: string): IssueClaim {
  const path = join(directory, `${branch.replaceAll("/", "-")}.json`);
  const self = describeSelf(world);
  makeQuietly(directory);
  const attempt = underLock(world, `${path}.lock`, () => {
    const holder = readClaim(path);
    const state = holder === undefined ? "free" : stateOf(world, holder);
    if (state === "held") return { kind: "held", by: holder?.instance } as const;
    const written = writeWhole(world, path, JSON.stringify({ ...self, instance }));
    const before = state === "died" ? holder?.instance : undefined;
    return written.kind === "written" ? ({ kind: "ours", before } as const) : written;
  });
  const whileOurs = (act: () => void) =>
    underLock(world, `${path}.lock`, () => {
      const holder = readClaim(path);
      if (holder !== undefined && parseHolder(holder.text)?.nonce === self.nonce) act();
      return { kind: "ours" };
    });
  switch (attempt.kind) {
    case "held": {
      const message = `branch '${branch}' is in use by '${attempt.by}': wait for it or stop it; if you are sure that it is gone, remove '${path}'`;
      throw new ExecutionError(message, { branch, instance: attempt.by });
    }
    case "failed": {
      const message = `branch '${branch}' can't be claimed: '${path}' can't be written (${attempt.errno})`;
      throw new ExecutionError(message, { branch });
    }
    case "ours":
      return {
        takenOver: attempt.before,
        release: () => void whileOurs(() => removeQuietly(path)),
        keep: (runs) => void whileOurs(() => writeWhole(world, path, JSON.stringify({ instance, guidedIn: runs }))),
      };
  }
}

function makeQuietly(directory: string): void {
  try {
    disk.makeDirectory(directory);
  } catch {
    // Taking the lock in it then fails, with the reason.
  }
}

function underLock<Value>(world: World, path: string, act: () => Value): Value | { kind: "failed"; errno: string } {
  const attempt = acquireLock(world, { path, waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") return { kind: "failed", errno: attempt.kind === "failed" ? attempt.reason : "EBUSY" };
  let value: Value | undefined;
  const isDone = attempt.lock.finish(() => void (value = act()));
  return isDone ? (value as Value) : { kind: "failed", errno: "its lock was lost" };
}

interface ReadClaim {
  readonly text: string;
  readonly instance: string;
  /** For a guided run: the directory of its record. */
  readonly guidedIn: string | undefined;
}

function readClaim(path: string): ReadClaim | undefined {
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text") return undefined;
  const { instance, guidedIn } = parseObject(read.text) ?? {};
  return { text: read.text, instance: asString(instance) ?? "an unnamed instance", guidedIn: asString(guidedIn) };
}

/** A claim that can't be parsed belongs to nobody: claims are written in one piece. */
function stateOf(world: World, { text, instance, guidedIn }: ReadClaim): "held" | "died" | "free" {
  if (guidedIn !== undefined) {
    const read = readRun({ directory: guidedIn }, instance);
    if (read.kind !== "run") return "died";
    return read.run.status === "started" ? "held" : "free";
  }
  const holder = parseHolder(text);
  const isHeld = holder !== undefined && holderState(holder, describeSelf(world), sight(world, holder.pid)) !== "gone";
  return isHeld ? "held" : "died";
}
