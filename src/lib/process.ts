import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { sep } from "node:path";
import type { World } from "../world.ts";
import { joinBytes } from "./bytes.ts";
import { errnoOf, disk } from "./fs.ts";
import { readText } from "./read-file.ts";

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the process's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A variable unique to this run: it marks all processes that the program starts, in other sessions too. */
  readonly marker: { readonly name: string; readonly value: string };
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** `stop` ends the program when there is enough output. */
  readonly onOutput: (bytes: Uint8Array, stop: () => void) => void;
}

type ProgramEnd =
  /** `exitCode` as a shell reports it; `stderr`: its end, if it is long. */
  | { readonly kind: "ended"; readonly exitCode: number; readonly stderr: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** Ended by us. */
  | { readonly kind: "timed-out" | "aborted" | "stopped"; readonly stderr: string };

type Ending = "timed-out" | "aborted" | "stopped";

/** The time between SIGTERM and SIGKILL, in which a client ends its own children. */
const GRACE_MS = 2000;

/** How long to wait for the streams to close after the program has ended: its children may hold them open. */
const CLOSING_MS = 1000;

const INTERVAL_MS = 20;

const MAX_STDERR_BYTES = 64 * 1024;

/**
 * Runs a program for minutes, never through a shell, in a process group of its own.
 *
 * @effect the program's. If we end it, its group and all processes with its marker are gone before this returns.
 *          Processes that it leaves behind when it ends by itself stay
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

/** The child, or the errno of an error that is known at once, such as a NUL in an argument. */
function start(world: World, { program, args, cwd, env, marker, stdin }: ProgramRun): ChildProcess | string {
  try {
    const all = { ...world.env, ...env, [marker.name]: marker.value };
    const child = spawn(program, args, { cwd, env: all, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {}); // The program may end without reading all of it.
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
  // On systems without process groups, only the program itself gets the signal.
  if (child.pid !== undefined) world.kill(-child.pid, signal);
  child.kill(signal);
}

/**
 * Ends the rest of the group and all processes with the marker, including those that start meanwhile. Doesn't wait for
 * the group to disappear: in a container without an init process, dead processes stay in it for ever.
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

/** Keeps the end of the error output, where a program usually says why it failed. */
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

const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024;

/**
 * The ids of the processes that were started with a variable whose value begins like this; none without /proc, and none
 * of other users.
 */
export function findMarked(name: string, beginning: string): readonly number[] {
  return processIds().filter((pid) => {
    const read = readText(`/proc/${pid}/environ`, MAX_ENVIRONMENT_BYTES);
    return read.kind === "text" && read.text.split("\0").some((entry) => entry.startsWith(`${name}=${beginning}`));
  });
}

/**
 * Ends those processes except this one, and those they start meanwhile, by SIGTERM and then SIGKILL.
 *
 * @output whether there were any
 * @effect pauses until they are gone
 */
export function endMarked(world: World, name: string, beginning: string): boolean {
  const others = () => findMarked(name, beginning).filter((pid) => pid !== world.pid);
  const found = others();
  for (const pid of found) world.kill(pid, "SIGTERM");
  const makeThemAt = world.ticks() + GRACE_MS;
  for (let left = found; left.length > 0; left = others()) {
    const elapsed = world.ticks() - makeThemAt;
    if (elapsed > GRACE_MS) break;
    if (elapsed > 0) for (const pid of left) world.kill(pid, "SIGKILL");
    world.pause(INTERVAL_MS);
  }
  return found.length > 0;
}

function processIds(): number[] {
  if (sep !== "/") return [];
  try {
    return disk.list("/proc").flatMap(({ name }) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** A longer timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves when the time has passed, or as soon as the signal aborts. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER_MS));
    signal.addEventListener("abort", end);
  });
}

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  /** On Windows the arguments are joined unchanged. */
  readonly isVerbatim?: boolean;
}

export interface ProgramCall extends ProgramStart {
  readonly cwd: string;
  /** Added to the process's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

type ProgramAnswer =
  | { readonly kind: "ended"; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** It could not be started, was killed, took too long or printed too much. */
  | { readonly kind: "failed"; readonly reason: string; readonly stderr: string };

/** Gives the program a process group, so that its children can be ended with it. Node's types lack the option. */
const OWN_GROUP = { detached: sep === "/" };

/**
 * Runs a program briefly and waits for it; never through a shell.
 *
 * @effect the program's. It is killed with its group if it takes too long or prints too much. Processes that it leaves
 *          behind when it ends by itself stay
 */
export function callProgram(world: World, call: ProgramCall): ProgramAnswer {
  const { program, args, cwd, env, stdin = "", timeoutMs, maxOutputBytes } = call;
  try {
    const { pid, status, signal, stdout, stderr, error } = spawnSync(program, args, {
      cwd,
      ...OWN_GROUP,
      env: { ...world.env, ...env },
      input: stdin,
      encoding: "utf8",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: maxOutputBytes,
      windowsHide: true,
      windowsVerbatimArguments: call.isVerbatim === true,
    });
    // A program whose output is closed may end by itself before it is killed.
    const isTooMuch = Math.max(stdout?.length ?? 0, stderr?.length ?? 0) > maxOutputBytes;
    // If a process that it left behind holds its output open, this is a timeout too.
    if (typeof status === "number" && !isTooMuch) return { kind: "ended", exitCode: status, stdout, stderr };
    if (error === undefined && signal && !isTooMuch)
      return { kind: "failed", reason: `it ended with ${signal}`, stderr };
    if (pid > 0) world.kill(-pid, "SIGKILL");
    // Deno reports nothing if it may not start programs.
    const errno = isTooMuch ? "ENOBUFS" : error === undefined ? "EPERM" : errnoOf(error);
    return { kind: "failed", reason: reasonOf(errno, call), stderr: stderr ?? "" };
  } catch (error) {
    // An argument that can't be passed, such as one with a NUL.
    return { kind: "failed", reason: notStarted(errnoOf(error)), stderr: "" };
  }
}

/** Why a call failed, with the first line of its error output; undefined if it exited with 0. */
export function failureIn(answer: ProgramAnswer): string | undefined {
  if (answer.kind === "failed") return answer.reason;
  if (answer.exitCode === 0) return undefined;
  const line = firstLine(answer.stderr);
  return `it ended with exit code ${answer.exitCode}${line && `: ${line}`}`;
}

const MAX_LINE_UNITS = 300;

/** The first line that is not blank; "" if there is none. */
export function firstLine(text: string): string {
  return (text.split("\n").find((line) => line.trim() !== "") ?? "").slice(0, MAX_LINE_UNITS);
}

function reasonOf(errno: string, { timeoutMs, maxOutputBytes }: ProgramCall): string {
  switch (errno) {
    case "ETIMEDOUT":
      return `it did not end within ${timeoutMs} ms`;
    case "ENOBUFS":
      return `it printed more than ${maxOutputBytes} bytes`;
    default:
      return notStarted(errno);
  }
}
