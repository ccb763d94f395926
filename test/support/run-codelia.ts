import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";

export const REPOSITORY = resolve(import.meta.dirname, "../..");
export const CODELIA = join(REPOSITORY, process.platform === "win32" ? "dist/codelia.exe" : "dist/codelia");

export interface RunOptions {
  readonly cwd: string;
  /** The user's home directory, so that no test sees the developer's own configuration. */
  readonly home: string;
  /** Added to PATH and HOME; the environment has nothing else. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Another program instead of codelia. */
  readonly binary?: string;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As a shell counts: 128 + the number of the signal that ended it. */
  readonly exitCode: number;
}

const TIMEOUT_MS = 20_000;
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/** Runs the built binary in a clean environment and waits for it; one that takes too long is killed, and throws. */
export function runCodelia(args: readonly string[], options: RunOptions): RunResult {
  const { cwd, stdin = "", timeoutMs = TIMEOUT_MS, binary = CODELIA } = options;
  const result = spawnSync(binary, args, {
    cwd,
    env: cleanEnvironment(options),
    input: stdin,
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_LIMIT_BYTES,
  });
  if (result.error !== undefined) throw cannotRun(args, binary, timeoutMs, result.error);
  return { stdout: result.stdout, stderr: result.stderr, exitCode: exitCodeOf(result.status, result.signal) };
}

/** The same, without waiting: for several at once. */
export async function startCodelia(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, stdin = "", timeoutMs = TIMEOUT_MS, binary = CODELIA } = options;
  return startProgram(binary, args, { cwd, env: cleanEnvironment(options), stdin, timeoutMs }).catch((error) => {
    throw cannotRun(args, binary, timeoutMs, error);
  });
}

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
}

/** Any program, with exactly this environment. After the time limit it is killed with all it started; this rejects then. */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<RunResult> {
  const { cwd, env, stdin = "", timeoutMs = TIMEOUT_MS } = options;
  const { promise, resolve: settle, reject } = Promise.withResolvers<RunResult>();
  const child = spawn(program, args, { cwd, env, detached: true });
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  let outOfTime = false;
  const timer = setTimeout(() => {
    outOfTime = true;
    killGroup(child.pid);
  }, timeoutMs);
  child.stdout.on("data", (chunk: Uint8Array) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  child.stdin.on("error", () => {}); // The program may end without reading all of it.
  child.stdin.end(stdin);
  child.on("error", (error) => {
    clearTimeout(timer);
    reject(error);
  });
  child.on("close", (code, signal) => {
    clearTimeout(timer);
    if (outOfTime) reject(outOfTimeError(timeoutMs, text(stdout) + text(stderr)));
    else settle({ stdout: text(stdout), stderr: text(stderr), exitCode: exitCodeOf(code, signal) });
  });
  return promise;
}

function cleanEnvironment({ home, env }: RunOptions): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, ...env };
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

function text(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function outOfTimeError(timeoutMs: number, output: string): Error {
  return Object.assign(new Error(`no end after ${timeoutMs} ms\n${output}`), { code: "ETIMEDOUT" });
}

function cannotRun(args: readonly string[], binary: string, timeoutMs: number, cause: unknown): Error {
  const isTimeout = (cause as NodeJS.ErrnoException).code === "ETIMEDOUT";
  const reason = isTimeout ? `killed after ${timeoutMs} ms` : String(cause);
  const why = existsSync(binary) ? reason : "there is no such program: run 'npm run build' first";
  return new Error(`cannot run '${[binary, ...args].join(" ")}': ${why}`, { cause });
}
