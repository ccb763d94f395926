import type { ReadStream } from "node:tty";
import type { ExitName } from "./errors.ts";

export type Extensions = typeof import("./plugins/points.ts");

/**
 * What the process gives the program: arguments, environment, clock, standard streams. main.ts, the only file that
 * touches `process`, makes one; everything else takes it as an argument, so that a test can pass another.
 */
export interface World {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** What runs, for those who write down how to call it. */
  program(): ProgramFacts;
  /** The user's home directory, or "" where the environment names none. */
  readonly home: string;
  /** The working directory as the shell names it: `$PWD` where that is the same directory, links kept. */
  cwd(): string;
  /**
   * Changes the working directory of the process: relative paths lead elsewhere afterwards. Absent in a process that
   * goes on for long after that.
   */
  readonly changeDirectory?: ((path: string) => void) | undefined;
  /** Whether a process has this pid; true also where it is another user's. */
  isAlive(pid: number): boolean;
  /** Twelve or more lower-case letters and digits that no other process gets. */
  random(): string;
  /** Blocks for a while without using the processor. */
  pause(milliseconds: number): void;
  /** Wall clock in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever go forward. */
  ticks(): number;
  /** Milliseconds of processor time that this process has used so far. */
  processorTime(): number;
  /** Writes everything to standard output before it returns; false when the reader has gone. */
  write(data: string | Uint8Array): boolean;
  /** A sentence for the user on standard error, printed when the command ends; `--quiet` drops it. */
  warn(sentence: string): void;
  /** Returns the sentences so far and forgets them. */
  takeWarnings(): string[];
  /** Writes to standard error at once, with invisible characters made visible, except line ends and tabs. */
  complain(text: string): void;
  /** Writes to standard error as it is, for sequences that move a terminal's cursor. */
  draw(text: string): void;
  /** Standard input to its end, however long that takes; undefined when it is longer than `limit` bytes. */
  readStdin(limit: number): Uint8Array | undefined;
  /**
   * A client's event: standard input to its end, until `isAll` says so, or until nothing has come for 1.5 s, whatever kind
   * of file it is; undefined when it is longer than 8 MiB. A promise only where reading can't be kept from waiting.
   */
  readEvent(isAll: (bytes: Uint8Array) => boolean): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Standard input as it comes, for those who listen to its end. */
  input(): AsyncIterable<Uint8Array>;
  /** One line of standard input without its end, for a question at a terminal; undefined where it ends before the line. */
  readLine(): string | undefined;
  /** The extension points, loaded where a plugin is configured. */
  extensions(): Promise<Extensions>;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /**
   * Standard input of a terminal, as keys are typed. It is the process's own stream: another one would leave a read
   * behind that Bun waits for at the end.
   */
  keyboard(): ReadStream;
  /** Calls `listener` on the signal instead of its default; returns what undoes this. */
  onSignal(signal: Signal, listener: () => void): () => void;
  /** Ends this process at once, whatever is still pending; for processes that run code that is not ours. */
  leave(exit: ExitName): void;
  /** Sends this process a signal. */
  raise(signal: Signal): void;
  /** Signals another process, or with a negative number a process group, if it exists and is ours. */
  kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
  /** One line of `CODELIA_TRACE`; free when tracing is off. */
  trace(stage: string, detail?: object): void;
}

export interface ProgramFacts {
  /** The file that the process runs, links resolved: the program, or the runtime that runs it as a script. */
  readonly executable: string;
  /** As its caller named it: a path, or a name on PATH. */
  readonly calledAs: string;
  /** The second word of the process: a script, where a runtime runs one. */
  readonly script: string | undefined;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "SIGWINCH" | "SIGCONT";
