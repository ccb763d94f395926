import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { joinBytes } from "./join-bytes.ts";
import type { World } from "../world.ts";
import { errnoOf } from "./fs.ts";
import { findMarked } from "./marked-processes.ts";
import { MAX_TIMER_MS } from "./sleep.ts";

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Beside the process's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A variable that no other run has: what the program starts is known by it, also in a session of its own. */
  readonly marker: { readonly name: string; readonly value: string };
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** `stop` ends the program: enough was heard. */
  readonly onOutput: (bytes: Uint8Array, stop: () => void) => void;
}

export type ProgramEnd =
  /** `exitCode` as a shell counts; `stderr`: its end, where it wrote more than is kept. */
  | { readonly kind: "ended"; readonly exitCode: number; readonly stderr: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** Ended by us. */
  | { readonly kind: "timed-out" | "aborted" | "stopped"; readonly stderr: string };

type Ending = "timed-out" | "aborted" | "stopped";

/** For a program that was asked to end, before it is made to: a client ends its own children meanwhile. */
const GRACE_MS = 2000;
/** For the streams to close when the program is gone: what it left behind may hold them open. */
const CLOSING_MS = 1000;
const INTERVAL_MS = 20;
const MAX_STDERR_BYTES = 64 * 1024;

/**
 * Runs a program of minutes, never through a shell, in a process group of its own.
 *
 * @effect the program's; one that is ended by us is gone with its group and all that carries its marker before this
 *         answers. What a program leaves behind that has ended by itself stays: it may be meant to
 * @error  none
 */
export async function runProgram(world: World, run: ProgramRun): Promise<ProgramEnd> {
  if (run.signal.aborted) return { kind: "aborted", stderr: "" };
  const child = start(world, run);
  if (typeof child === "string") return { kind: "failed", reason: notStarted(child) };
  const ended = endOf(child);
  let ending: Ending | undefined;
  const timers: NodeJS.Timeout[] = [];
  const end = (why: Ending) => {
    if (ending !== undefined) return;
    ending = why;
    signalGroup(world, child, "SIGTERM");
    timers.push(setTimeout(() => signalGroup(world, child, "SIGKILL"), GRACE_MS));
  };
  const abort = () => end("aborted");
  run.signal.addEventListener("abort", abort);
  timers.push(setTimeout(() => end("timed-out"), Math.min(run.timeoutMs, MAX_TIMER_MS)));
  child.stdout?.on("data", (bytes: Uint8Array) => {
    if (ending === undefined) run.onOutput(bytes, () => end("stopped"));
  });
  const stderr = keepEnd(child);
  try {
    const first = await Promise.race([ended.exited, ended.closed]);
    if (first.kind !== "ended") return first;
    if (ending !== undefined) await endRest(world, child, run);
    timers.push(setTimeout(() => [child.stdout, child.stderr].map((stream) => stream?.destroy()), CLOSING_MS));
    await ended.closed;
    return ending === undefined ? { ...first, stderr: stderr() } : { kind: ending, stderr: stderr() };
  } finally {
    run.signal.removeEventListener("abort", abort);
    timers.map(clearTimeout);
  }
}

/** The errno where it shows at once, as with a word that holds what no system passes on, a NUL. */
function start(world: World, { program, args, cwd, env, marker, stdin }: ProgramRun): ChildProcess | string {
  try {
    const all = { ...world.env, ...env, [marker.name]: marker.value };
    const child = spawn(program, args, { cwd, env: all, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {}); // a program may end without having read all of it
    child.stdin.end(stdin);
    return child;
  } catch (error) {
    return errnoOf(error);
  }
}

function notStarted(errno: string): string {
  return `it can't be started (${errno})`;
}

type FirstEnd = Exclude<ProgramEnd, { readonly kind: Ending }>;

function endOf(child: ChildProcess): { readonly exited: Promise<FirstEnd>; readonly closed: Promise<FirstEnd> } {
  const on = (event: "exit" | "close") =>
    new Promise<FirstEnd>((resolve) => {
      child.on("error", (error) => resolve({ kind: "failed", reason: notStarted(errnoOf(error)) }));
      child.on(event, (code: number | null, signal: NodeJS.Signals | null) => {
        const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
        resolve({ kind: "ended", exitCode, stderr: "" });
      });
    });
  return { exited: on("exit"), closed: on("close") };
}

function signalGroup(world: World, child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  // Where there are no groups, the program itself must do.
  if (child.pid !== undefined) world.kill(-child.pid, signal);
  child.kill(signal);
}

/**
 * The rest of the group, and what has left the group but carries the marker; what starts meanwhile as well. The group
 * is not asked after: where nobody buries the dead of a container, it never ends.
 */
async function endRest(world: World, { pid }: ChildProcess, { marker }: ProgramRun): Promise<void> {
  if (pid !== undefined) world.kill(-pid, "SIGKILL");
  const giveUpAt = world.ticks() + GRACE_MS;
  for (;;) {
    const marked = findMarked(marker.name, marker.value);
    if (marked.length === 0 || world.ticks() > giveUpAt) return;
    for (const left of marked) world.kill(left, "SIGKILL");
    await new Promise((resolve) => void setTimeout(resolve, INTERVAL_MS));
  }
}

/** The last of what the program says about itself: where it explains why it ends. */
function keepEnd(child: ChildProcess): () => string {
  let chunks: Uint8Array[] = [];
  let size = 0;
  child.stderr?.on("data", (bytes: Uint8Array) => {
    chunks.push(bytes);
    size += bytes.length;
    if (size <= 2 * MAX_STDERR_BYTES) return;
    chunks = [joinBytes(chunks).subarray(-MAX_STDERR_BYTES)];
    size = MAX_STDERR_BYTES;
  });
  return () => new TextDecoder().decode(joinBytes(chunks).subarray(-MAX_STDERR_BYTES));
}
