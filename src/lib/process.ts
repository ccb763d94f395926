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

/** A client ends its own children meanwhile. */
const MARKED_GRACE_MS = 2000;

const MARKED_INTERVAL_MS = 20;

const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024;

/**
 * The processes that carry a variable with a value that begins so in the environment they were started with.
 *
 * @output their ids; none where there is no /proc, nor those of other users
 */
export function findMarked(name: string, beginning: string): readonly number[] {
  return processIds().filter((pid) => {
    const read = readText(`/proc/${pid}/environ`, MAX_ENVIRONMENT_BYTES);
    return read.kind === "text" && read.text.split("\0").some((entry) => entry.startsWith(`${name}=${beginning}`));
  });
}

/**
 * Ends those processes, and what they start meanwhile: they are asked, and after a while made to. This one stays.
 *
 * @output whether there were any
 * @effect pauses until they are gone, for as long as one is given to end by itself
 */
export function endMarked(world: World, name: string, beginning: string): boolean {
  const others = () => findMarked(name, beginning).filter((pid) => pid !== world.pid);
  const found = others();
  for (const pid of found) world.kill(pid, "SIGTERM");
  const makeThemAt = world.ticks() + MARKED_GRACE_MS;
  for (let left = found; left.length > 0; left = others()) {
    const elapsed = world.ticks() - makeThemAt;
    if (elapsed > MARKED_GRACE_MS) break;
    if (elapsed > 0) for (const pid of left) world.kill(pid, "SIGKILL");
    world.pause(MARKED_INTERVAL_MS);
  }
  return found.length > 0;
}

function processIds(): number[] {
  try {
    return disk.list("/proc").flatMap(({ name }) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** A timer that is told to wait longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @output when the time has passed, or at once when the signal aborts
 */
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
  /** It could not be started, was killed, took too long or printed too much. */
  | { readonly kind: "failed"; readonly reason: string; readonly stderr: string };

/** Where there are process groups, it leads one, so that what it has started can be ended with it. Node's types lack it. */
const OWN_GROUP = { detached: sep === "/" };

/**
 * Runs a program of a few moments and waits for it; never through a shell.
 *
 * @effect the program's; it is killed with all it started when it takes too long or prints too much. What it left
 *         behind when it ended by itself stays
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
    });
    // A process that it left behind can hold its output open until the time is over: it has ended all the same.
    if (status !== null) return { kind: "ended", exitCode: status, stdout, stderr };
    if (error === undefined) return { kind: "failed", reason: `it ended with ${signal}`, stderr };
    if (pid > 0) world.kill(-pid, "SIGKILL");
    return { kind: "failed", reason: reasonOf(errnoOf(error), call), stderr: stderr ?? "" };
  } catch (error) {
    // A word that no system passes on, as one with a NUL.
    return { kind: "failed", reason: notStarted(errnoOf(error)), stderr: "" };
  }
}

/** Why a call was no success, with the first line of its error output; undefined where it ended with 0. */
export function failureIn(answer: ProgramAnswer): string | undefined {
  if (answer.kind === "failed") return answer.reason;
  if (answer.exitCode === 0) return undefined;
  const line = firstLine(answer.stderr);
  return `it ended with exit code ${answer.exitCode}${line && `: ${line}`}`;
}

const MAX_LINE_UNITS = 300;

/** The first line that says something; "" where there is none. */
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
