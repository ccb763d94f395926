import type { World } from "../../src/world.ts";

/** Time that passes only in `pause`; worlds may share it. */
interface FakeClock {
  ticks: number;
}

export interface FakeWorldOptions {
  readonly argv?: readonly string[];
  readonly env?: World["env"];
  readonly home?: string;
  readonly cwd?: string;
  readonly pid?: number;
  readonly stdin?: string | Uint8Array;
  /** The lines that are typed, one after the other. */
  readonly answers?: readonly string[];
  /** The streams that are terminals. */
  readonly terminals?: readonly ("stdin" | "stdout" | "stderr")[];
  readonly clock?: FakeClock;
  /** The wall clock when the fake clock is at 0; by default a time after every file was made. */
  readonly epochMs?: number;
  /** How long the machine has been running when the fake clock is at 0; by default unknown. */
  readonly uptimeMs?: number;
  /** The other processes that exist. */
  readonly alive?: readonly number[];
  /** What other processes do while this one pauses. */
  readonly onPause?: (milliseconds: number) => void;
}

export interface FakeWorld extends World {
  readonly clock: FakeClock;
  /** What went to standard output. */
  readonly written: () => string;
  readonly complaints: readonly string[];
  readonly warnings: readonly string[];
  readonly stages: readonly string[];
}

/** The real time, because the files of a test are made by a real disk. */
const EPOCH_MS = Date.now();
/** Code that ends never looks at the clock more often, so an endless loop fails its test instead of hanging. */
const MAX_LOOKS_AT_CLOCK = 5000;

let randomCount = 0;

/** A process for a test, in which no real time passes and nothing is printed. */
export function fakeWorld(options: FakeWorldOptions = {}): FakeWorld {
  const { clock = { ticks: 0 }, epochMs = EPOCH_MS, pid = process.pid, alive = [], onPause } = options;
  const written: Uint8Array[] = [];
  const complaints: string[] = [];
  const warnings: string[] = [];
  const stages: string[] = [];
  const answers = [...(options.answers ?? [])];
  let looksAtClock = 0;
  return {
    clock,
    written: () => Buffer.concat(written).toString("utf8"),
    complaints,
    warnings,
    stages,
    extensions: () => import("../../src/plugins/points.ts"),
    argv: options.argv ?? [],
    env: options.env ?? {},
    pid,
    program: () => ({ executable: "/opt/bin/codelia", calledAs: "codelia", script: undefined }),
    home: options.home ?? "",
    cwd: () => options.cwd ?? "/",
    isAlive: (other) => other === pid || alive.includes(other),
    random: () => `fake${String(randomCount++).padStart(12, "0")}`,
    pause(milliseconds) {
      clock.ticks += milliseconds;
      onPause?.(milliseconds);
    },
    now: () => epochMs + clock.ticks,
    ticks() {
      if (++looksAtClock > MAX_LOOKS_AT_CLOCK)
        throw new Error(`still waiting at ${clock.ticks} ms: a loop without end`);
      return clock.ticks;
    },
    uptime: () => (options.uptimeMs === undefined ? undefined : options.uptimeMs + clock.ticks),
    // Code that is interrupted after a time has really run that long.
    processorTime() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    write(data) {
      written.push(typeof data === "string" ? new TextEncoder().encode(data) : data);
      return true;
    },
    warn: (sentence) => void warnings.push(sentence),
    takeWarnings: () => warnings.splice(0),
    complain: (text) => void complaints.push(text),
    draw: (text) => void complaints.push(text),
    readStdin(limit) {
      const { stdin = "" } = options;
      const bytes = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
      return bytes.length > limit ? undefined : bytes;
    },
    readEvent() {
      return this.readStdin(Number.POSITIVE_INFINITY);
    },
    async *input() {
      const bytes = this.readStdin(Number.POSITIVE_INFINITY);
      if (bytes !== undefined) yield bytes;
    },
    readLine: () => answers.shift(),
    isTerminal: (stream) => options.terminals?.includes(stream) === true,
    keyboard() {
      throw new Error("nobody is at the keyboard");
    },
    onSignal: () => () => {},
    leave: () => {},
    raise: () => {},
    kill: () => {},
    trace: (stage) => void stages.push(stage),
  };
}

/** A fake process with real time and real children, for code that starts and ends programs. */
export function realWorld(env: World["env"] = process.env): FakeWorld {
  return {
    ...fakeWorld({ env }),
    now: Date.now,
    ticks: () => performance.now(),
    isAlive: (pid) => trySignal(pid, 0),
    kill: (pid, signal) => void trySignal(pid, signal),
  };
}

/** The working directory of the process that runs the tests. */
export const workingDirectory = {
  cwd: () => process.cwd(),
  changeDirectory: (path: string) => process.chdir(path),
} satisfies Partial<World>;

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
