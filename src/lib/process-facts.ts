import type { Holder, Sighting } from "./lock-holder.ts";
import type { World } from "../world.ts";
import { disk } from "./fs.ts";
import { readText } from "./read-file.ts";

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
