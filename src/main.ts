import { appendFileSync, fstatSync, readFileSync, readSync, statSync, writeSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { run } from "./cli.ts";
import { EXIT } from "./errors.ts";
import { jsonLine, printable } from "./lib/escape.ts";
import { homeDirectory } from "./lib/paths.ts";
import { expectEvent, isBusy, isReading, readEvent, readToEnd, type InputRuntime } from "./lib/standard-input.ts";
import type { Signal, World } from "./world.ts";

/** How long to wait for a full non-blocking pipe before giving up. A blocking pipe waits by itself. */
const STALL_LIMIT_MS = 10_000;
/** Longer than any answer typed at a terminal. */
const MAX_LINE_BYTES = 4096;
const STREAMS = { stdin: 0, stdout: 1, stderr: 2 } as const;

const runtime: InputRuntime = {
  pause,
  stream: () => ("Bun" in globalThis || "Deno" in globalThis ? undefined : process.stdin),
};

const isHook = process.argv[2] === "hook";
if (isHook) expectEvent(runtime);
process.exitCode = await main();
if (isHook && isReading()) process.exit();

async function main(): Promise<number> {
  const world = createWorld();
  const exit = await run(world);
  world.trace("exit", { code: EXIT[exit], ...(world.env["CODELIA_TRACE"] ? peakMemory() : {}) });
  return EXIT[exit];
}

function createWorld(): World {
  const env = process.env;
  let warnings: string[] = [];
  return {
    argv: process.argv.slice(2),
    env,
    pid: process.pid,
    program: () => ({ executable: process.execPath, calledAs: process.argv0, script: process.argv[1] }),
    home: homeDirectory(env),
    cwd: lexicalCwd,
    changeDirectory: (path) => process.chdir(path),
    isAlive,
    random,
    pause,
    now: Date.now,
    ticks: () => performance.now(),
    uptime,
    processorTime,
    write: (data) => writeAll(1, data),
    warn: (sentence) => void warnings.push(sentence),
    takeWarnings() {
      const taken = warnings;
      warnings = [];
      return taken;
    },
    complain: (text) => void writeAll(2, printable(text)),
    draw: (text) => void writeAll(2, text),
    readStdin: (limit) => readToEnd(runtime, limit),
    readEvent: (isAll) => readEvent(runtime, isAll),
    input: () => process.stdin,
    readLine,
    extensions: () => import("./plugins/points.ts"),
    isTerminal: (stream) => isTerminal(STREAMS[stream]),
    keyboard: () => process.stdin,
    onSignal,
    leave: (exit) => process.exit(EXIT[exit]),
    raise: (signal) => void process.kill(process.pid, signal),
    kill,
    trace: createTrace(env["CODELIA_TRACE"]),
  };
}

/** The directory as agents and shells name it: `$PWD`, unless it is stale. `process.cwd()` resolves links. */
function lexicalCwd(): string {
  const physical = process.cwd();
  const named = process.env["PWD"];
  if (named === undefined || named === physical || !isAbsolute(named)) return physical;
  try {
    const normalised = resolve(named);
    const there = statSync(normalised, { bigint: true });
    const here = statSync(physical, { bigint: true });
    return there.ino === here.ino && there.dev === here.dev ? normalised : physical;
  } catch {
    return physical;
  }
}

const IF_THERE = { throwIfNoEntry: false } as const;

/** Loads node:tty only for a terminal, not for the null device: it costs a quarter of a hook call. */
function isTerminal(descriptor: number): boolean {
  try {
    const stream = fstatSync(descriptor);
    if (!stream.isCharacterDevice() || stream.rdev === statSync("/dev/null", IF_THERE)?.rdev) return false;
    return process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}

function onSignal(signal: Signal, listener: () => void): () => void {
  process.on(signal, listener);
  return () => void process.off(signal, listener);
}

/** Uses fs.writeSync in a loop: `process.stdout` takes 6 ms to initialise and truncates a pipe at exit. */
function writeAll(descriptor: number, data: string | Uint8Array): boolean {
  let rest = typeof data === "string" ? new TextEncoder().encode(data) : data;
  let stalledSince: number | undefined;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
      stalledSince = undefined;
    } catch (error) {
      if (!isBusy(error)) return false;
      stalledSince ??= performance.now();
      if (performance.now() - stalledSince > STALL_LIMIT_MS) return false;
      pause(2);
    }
  }
  return true;
}

/** Reads byte by byte, to leave what follows the line unread. */
function readLine(): string | undefined {
  const line: number[] = [];
  const byte = new Uint8Array(1);
  while (line.length < MAX_LINE_BYTES) {
    try {
      if (readSync(0, byte) === 0) return undefined;
    } catch (error) {
      if (!isBusy(error)) return undefined;
      pause(2);
      continue;
    }
    if (byte[0] === 10) return new TextDecoder().decode(Uint8Array.from(line)).replace(/\r$/, "");
    line.push(byte[0] ?? 0);
  }
  return undefined;
}

/** Loads node:os only when needed: it costs a tenth of a hook call. */
function uptime(): number | undefined {
  try {
    return process.getBuiltinModule("node:os").uptime() * 1000;
  } catch {
    return undefined;
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already, or belongs to another user.
  }
}

/** For names of temporary files, which are created exclusively: they must be unique, but need not be secret. */
function random(): string {
  let name = "";
  while (name.length < 14)
    name += Math.floor(Math.random() * 36 ** 7)
      .toString(36)
      .padStart(7, "0");
  return name;
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Asks the kernel where possible: `process.resourceUsage` includes what the parent used. */
function peakMemory(): { peakKB?: number } {
  try {
    if (process.platform === "win32") return {};
    const status = readFileSync("/proc/self/status", "utf8");
    return { peakKB: Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1]) };
  } catch {
    return {};
  }
}

/** Writes JSON lines to standard error for "1", to a file for an absolute path, otherwise nowhere. */
function createTrace(target: string | undefined): World["trace"] {
  if (target === undefined || (target !== "1" && !isAbsolute(target))) return () => {};
  return (stage, detail) => {
    const elapsedMs = Math.round(performance.now() * 1000) / 1000;
    const line = jsonLine({ pid: process.pid, ms: elapsedMs, stage, ...detail });
    if (target === "1") return void writeAll(2, line);
    try {
      appendFileSync(target, line);
    } catch {
      // The trace file can't be written; the answer matters more.
    }
  };
}
