import { spawnSync } from "node:child_process";
import type { World } from "../world.ts";
import { errnoOf } from "./disk.ts";

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

/**
 * Runs a program of a few moments and waits for it; never through a shell.
 *
 * @effect the program's; it is killed when it takes too long or says too much
 * @error  none
 */
export function callProgram(world: World, call: ProgramCall): ProgramAnswer {
  const { program, args, cwd, env, stdin = "", timeoutMs, maxOutputBytes } = call;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...world.env, ...env },
    input: stdin,
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: maxOutputBytes,
  });
  if (error !== undefined) return { kind: "failed", reason: reasonOf(errnoOf(error), call) };
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
