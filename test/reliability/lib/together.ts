import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Ending } from "./call.ts";
import type { Stage } from "./stage.ts";

/** One of several calls that begin at once. */
export interface Part {
  readonly args: readonly string[];
  /** For a call that reads paths with `-`: it is held back until all have begun, then fed. */
  readonly input?: string;
}

const PATIENCE_MS = 2000;

/** Starts all of them; those that read paths are let go at the same moment, when each is waiting for its input. */
export async function runTogether(stage: Stage, parts: readonly Part[]): Promise<Ending[]> {
  const calls = parts.map(({ args, input }) => ({
    call: stage.start(args, { waitsForInput: input !== undefined }),
    input,
  }));
  const held = calls.filter(({ input }) => input !== undefined);
  const deadline = performance.now() + PATIENCE_MS;
  while (!held.every(({ call }) => isWaiting(call.pid)) && performance.now() < deadline) await pause(2);
  for (const { call, input } of held) call.feed(input ?? "");
  return Promise.all(calls.map(({ call }) => call.ending));
}

/** Asleep, or not there any more. Where there is no /proc nothing is known, and nobody is waited for. */
function isWaiting(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("S");
  } catch {
    return true;
  }
}
