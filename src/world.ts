import type { ReadStream } from "node:tty";
import type { ExitName } from "./errors.ts";

export type Extensions = typeof import("./plugins/points.ts");

/**
 * What the process provides: arguments, environment, clock, standard streams. main.ts, the only file that touches
 * `process`, creates one; everything else takes it as an argument, so that a test can pass another.
 */
export interface World {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** How to call the program again, for text that tells others to run it. */
  program(): ProgramFacts;
  /** The user's home directory, or "" if the environment names none. */
  readonly home: string;
  /** The working directory as the shell names it: `$PWD` if it is the same directory, with links unresolved. */
  cwd(): string;
  /**
   * Changes the working directory of the process, and so the meaning of relative paths. Absent in a long-running
   * process.
   */
  readonly changeDirectory?: ((path: string) => void) | undefined;
  /** Whether a process with this pid exists; true even if it belongs to another user. */
  isAlive(pid: number): boolean;
  /** At least twelve lower-case letters and digits, unique to this process. */
  random(): string;
  /** Blocks for a while without using the processor. */
  pause(milliseconds: number): void;
  /** Wall clock in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never goes back. */
  ticks(): number;
  /**
   * How long the machine has been running, in milliseconds, independent of the wall clock; as coarse as a second.
   * Undefined if the system does not tell.
   */
  uptime(): number | undefined;
  /** Milliseconds of processor time that this process has used. */
  processorTime(): number;
  /** Writes everything to standard output before it returns; false when the reader has gone. */
  write(data: string | Uint8Array): boolean;
  /** Adds a sentence to be printed on standard error when the command ends; `--quiet` drops it. */
  warn(sentence: string): void;
  /** Returns the sentences so far and clears them. */
  takeWarnings(): string[];
  /** Writes to standard error at once, with invisible characters made visible, except line ends and tabs. */
  complain(text: string): void;
  /** Writes to standard error unchanged, for terminal control sequences. */
  draw(text: string): void;
  /** All of standard input, however long it takes; undefined if it exceeds `limit` bytes. */
  readStdin(limit: number): Uint8Array | undefined;
  /**
   * A client's event: standard input until it ends, `isAll` returns true, or nothing has arrived for 1.5 s, for any
   * kind of file; undefined if it exceeds 8 MiB. A promise only where reading would otherwise block.
   */
  readEvent(isAll: (bytes: Uint8Array) => boolean): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Standard input as it arrives, for callers that wait for its end. */
  input(): AsyncIterable<Uint8Array>;
  /** One line of standard input without its line end, for a question at a terminal; undefined if input ends first. */
  readLine(): string | undefined;
  /** The extension points, loaded if a plugin is configured. */
  extensions(): Promise<Extensions>;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /**
   * Standard input of a terminal, key by key. It is the process's own stream: a second one would leave a pending read
   * that Bun waits for at exit.
   */
  keyboard(): ReadStream;
  /** Calls `listener` on the signal instead of its default action; returns a function that undoes this. */
  onSignal(signal: Signal, listener: () => void): () => void;
  /** Ends this process at once, whatever is pending; for processes that run code that is not ours. */
  leave(exit: ExitName): void;
  /** Sends this process a signal. */
  raise(signal: Signal): void;
  /** Signals another process, or a process group if the number is negative, if it exists and is ours. */
  kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
  /** Writes one line of `CODELIA_TRACE`; costs nothing when tracing is off. */
  trace(stage: string, detail?: object): void;
}

export interface ProgramFacts {
  /** The file that the process runs, with links resolved: the program, or the runtime that runs it as a script. */
  readonly executable: string;
  /** As the caller named it: a path, or a name on PATH. */
  readonly calledAs: string;
  /** The second word of the process: the script, if a runtime runs one. */
  readonly script: string | undefined;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "SIGWINCH" | "SIGCONT";
