import { spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { parseHolder, type Holder } from "../../../src/lib/lock.ts";

/** Above what any Linux gives out. */
const NO_PID = 2 ** 30;
const DEAD_NONCE = "dead0000dead00";

/** What a lock file says that was left by a process of this machine that has gone. */
export function deadHolder(changes: Partial<Holder> = {}): Holder {
  const holder: Holder = { pid: NO_PID, startTime: "1", ...here(), nonce: DEAD_NONCE, ...changes };
  if (parseHolder(JSON.stringify(holder)) === undefined) throw new Error("codelia would not believe this holder");
  return holder;
}

/** A process that lives until the end of the scope, and what its lock file says. */
export function livingHolder(): Disposable & { readonly holder: Holder } {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) throw new Error("there is no 'sleep' here");
  const holder: Holder = { pid, startTime: startTimeOf(pid), ...here(), nonce: "live0000live00" };
  return { holder, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

/** Whether the system tells when a process began, and in which boot: elsewhere a pid is all there is to go by. */
export const TELLS_PROCESSES = existsSync("/proc/self/stat");

function here(): { bootId: string; pidNamespace: string } {
  if (!TELLS_PROCESSES) return { bootId: "", pidNamespace: "" };
  return {
    bootId: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    pidNamespace: readlinkSync("/proc/self/ns/pid"),
  };
}

function startTimeOf(pid: number): string {
  if (!TELLS_PROCESSES) return "";
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
