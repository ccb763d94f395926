import { spawnSync } from "node:child_process";
import { sep } from "node:path";
import type { World } from "../world.ts";
import { errnoOf } from "./fs.ts";

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Beside the process's own environment; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

export type ProgramAnswer =
  | { readonly kind: "ended"; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** It could not be started, was killed, took too long or said too much. */
  | { readonly kind: "failed"; readonly reason: string };

/** Where there are process groups, it leads one, so that what it has started can be ended with it. Node's types lack it. */
const OWN_GROUP = { detached: sep === "/" };

/**
 * Runs a program of a few moments and waits for it; never through a shell.
 *
 * @effect the program's; it is killed with all it started when it takes too long or says too much
 * @error  none
 */
export function callProgram(world: World, call: ProgramCall): ProgramAnswer {
  const { program, args, cwd, env, stdin = "", timeoutMs, maxOutputBytes } = call;
  const { pid, status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    ...OWN_GROUP,
    env: { ...world.env, ...env },
    input: stdin,
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: maxOutputBytes,
  });
  if (error !== undefined) {
    if (pid > 0) world.kill(-pid, "SIGKILL");
    return { kind: "failed", reason: reasonOf(errnoOf(error), call) };
  }
  if (status === null) return { kind: "failed", reason: `it was ended by ${signal}` };
  return { kind: "ended", exitCode: status, stdout, stderr };
}

function reasonOf(errno: string, { timeoutMs, maxOutputBytes }: ProgramCall): string {
  switch (errno) {
    case "ETIMEDOUT":
      return `it took longer than ${timeoutMs} ms`;
    case "ENOBUFS":
      return `it wrote more than ${maxOutputBytes} bytes`;
    default:
      return `it can't be run (${errno})`;
  }
}
