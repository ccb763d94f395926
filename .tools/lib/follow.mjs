import { constants } from "node:os";

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Waits for a child process to end, and passes on to it the signals that are meant to end this one. So this process
 * outlives it, can clean up, and ends as the child did.
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
