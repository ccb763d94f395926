import { join } from "node:path";
import { disk } from "../../lib/fs.ts";
import { acquireLock, describeSelf, judgeHolder, parseHolder, sight } from "../../lib/lock.ts";
import { readText } from "../../lib/read-file.ts";
import { removeQuietly, writeWhole } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { asString, parseObject } from "../engines/answers.ts";
import { ExecutionError } from "../errors.ts";

/** The right of one process to work on a branch; it also ends with the process. */
interface IssueClaim {
  /** The instance that held it and has died. */
  readonly takenOver: string | undefined;
  /** Safe to call again. */
  release(): void;
}

const MAX_BYTES = 4096;

const LOCK_WAIT_MS = 1000;

/**
 * @input  directory: one that all worktrees of the repository share
 * @effect a file that names this process and its instance
 * @error  ExecutionError, not recoverable, while another process holds the branch, or may: a process of another container
 *         can't be seen from here
 */
export function claimBranch(world: World, directory: string, branch: string, instance: string): IssueClaim {
  const path = join(directory, `${branch.replaceAll("/", "-")}.json`);
  const self = describeSelf(world);
  makeQuietly(directory);
  const attempt = underLock(world, `${path}.lock`, () => {
    const holder = readClaim(path);
    if (holder !== undefined && isHeld(world, holder.text)) return { kind: "held", by: holder.instance } as const;
    const written = writeWhole(world, path, JSON.stringify({ ...self, instance }));
    return written.kind === "written" ? ({ kind: "ours", before: holder?.instance } as const) : written;
  });
  switch (attempt.kind) {
    case "held": {
      const message = `branch '${branch}' is in use by '${attempt.by}': wait for it or stop it; if you are sure that it is gone, remove '${path}'`;
      throw new ExecutionError(message, { recoverable: false, details: { branch, instance: attempt.by } });
    }
    case "failed": {
      const message = `branch '${branch}' can't be claimed: '${path}' can't be written (${attempt.errno})`;
      throw new ExecutionError(message, { recoverable: false, details: { branch } });
    }
    case "ours":
      return {
        takenOver: attempt.before,
        release: () => {
          underLock(world, `${path}.lock`, () => {
            const holder = readClaim(path);
            if (holder !== undefined && parseHolder(holder.text)?.nonce === self.nonce) removeQuietly(path);
            return { kind: "ours" };
          });
        },
      };
  }
}

function makeQuietly(directory: string): void {
  try {
    disk.makeDirectory(directory);
  } catch {
    // Then the lock in it fails, with the reason.
  }
}

function underLock<Value>(world: World, path: string, act: () => Value): Value | { kind: "failed"; errno: string } {
  const attempt = acquireLock(world, { path, waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") return { kind: "failed", errno: attempt.kind === "failed" ? attempt.reason : "EBUSY" };
  let value: Value | undefined;
  const isDone = attempt.lock.finish(() => void (value = act()));
  return isDone ? (value as Value) : { kind: "failed", errno: "its lock was lost" };
}

function readClaim(path: string): { readonly text: string; readonly instance: string } | undefined {
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text") return undefined;
  return { text: read.text, instance: asString(parseObject(read.text)?.["instance"]) ?? "an unnamed instance" };
}

/** A claim that can't be parsed is nobody's: claims are written in one piece. */
function isHeld(world: World, text: string): boolean {
  const holder = parseHolder(text);
  return holder !== undefined && judgeHolder(holder, describeSelf(world), sight(world, holder.pid)) !== "gone";
}
