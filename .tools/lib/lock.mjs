import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { note, ToolError } from "./tool.mjs";

const patienceMs = 10 * 60 * 1000;
const pollMs = 50;
const quietMs = 1000;

/**
 * Runs `action` while no other process runs one under the same lock file; takes over from a holder that died.
 *
 * @param action gets a function that names a child process as another holder: if this process is killed, its child may
 *          go on working, and the lock is free only when both are gone
 */
export async function withLock(path, action) {
  const holder = await acquire(path);
  try {
    return await action((childPid) => writeFileSync(path, `${holder} ${childPid}`));
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path) {
  mkdirSync(dirname(path), { recursive: true });
  const holder = `${randomUUID()} ${process.pid}`;
  const startedAt = Date.now();
  let told = false;
  while (!createFile(path, holder)) {
    if (breakIfDead(path)) continue;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > patienceMs) throw new ToolError(`gave up waiting: delete '${path}' if no other tool is running`);
    if (!told && waitedMs > quietMs) note("waiting for another process that is doing the same");
    told = waitedMs > quietMs;
    await sleep(pollMs);
  }
  return holder;
}

function createFile(path, content) {
  try {
    writeFileSync(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Several waiters see the same dead holder, and the slowest would delete its successor's lock. So only the process that
 * creates the mark named after this holder may delete its lock. Marks stay, because a holder's name is never used again.
 */
function breakIfDead(path) {
  const [nonce, ...pids] = readHolder(path).split(" ");
  if (pids.length === 0 || pids.some((pid) => isAlive(Number(pid)))) return false;
  if (!createFile(`${path}.${nonce}`, "")) return false;
  rmSync(path, { force: true });
  return true;
}

/** Empty if the lock was released a moment ago, or is being written right now. */
function readHolder(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error.code === "EPERM";
  }
}
