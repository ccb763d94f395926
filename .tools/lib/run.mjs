import { spawn } from "node:child_process";
import { constants } from "node:os";

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

/** Runs a program to its end without input: its exit code, and its stdout and stderr as one text. */
export async function capture(file, args, options = {}) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const code = await follow(child);
  return { code, output: Buffer.concat(chunks).toString("utf8") };
}

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Waits for a child process to end, and passes on to it the signals that would end this one. So this process ends after
 * it, can clean up, and exits with the child's code.
 *
 * @returns the child's exit code, or 128+n if signal n ended it, as a shell reports it
 * @throws if the child couldn't be started
 */
export async function follow(child) {
  const forward = (signal) => child.kill(signal);
  for (const signal of forwarded) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
  }
}

/** How npm is started: on Windows it is a batch file, which only a shell can run. */
export const npm = { file: "npm", options: process.platform === "win32" ? { shell: true } : {} };
