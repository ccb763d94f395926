import { spawn } from "node:child_process";
import { follow } from "./follow.mjs";

/**
 * Runs a program to its end, with our own stdin, stdout and stderr unless `options` say otherwise: its exit code.
 *
 * @param options those of `spawn`, and `onStart`, which is told the program's process id
 * @throws when the program can't be started
 */
export async function run(file, args, { onStart, ...options } = {}) {
  const child = spawn(file, args, { stdio: "inherit", ...options });
  if (child.pid !== undefined) onStart?.(child.pid);
  return follow(child);
}
