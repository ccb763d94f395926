import type { ReadStream } from "node:tty";
import type { ExitName } from "./errors.ts";

export type Extensions = typeof import("./plugins/points.ts");

/**
 * What the process gives the program: arguments, environment, clock, standard streams.
 * Built once, by main.ts, the only file that touches `process`; everything else takes it as an argument,
 * so that a test can be a process too. Types only: importing this file costs nothing.
 */
export interface World {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** What runs: asked only by those who write down how to call it. */
  program(): ProgramFacts;
  /** The user's home directory, or "" where the environment names none. */
  readonly home: string;
  /** The working directory as the shell names it: `$PWD` where that is the same directory, links kept. */
  cwd(): string;
  /**
   * Makes another directory the working directory of the process, which only what is named by a whole path does not
   * notice. Absent where the process goes on for long after that.
   */
  readonly changeDirectory?: ((path: string) => void) | undefined;
  /** Whether a process has this pid; true also where it is another user's. */
  isAlive(pid: number): boolean;
  /** Twelve or more lower-case letters and digits that no other process gets. */
  random(): string;
  /** Does nothing for a while, without giving the processor work. */
  pause(milliseconds: number): void;
  /** Wall clock in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever go forward. */
  ticks(): number;
  /** Milliseconds of processor time that this process has used so far. */
  processorTime(): number;
  /** Writes all of it to standard output before it returns; false when the reader has gone. */
  write(data: string | Uint8Array): boolean;
  /** A sentence for the user on standard error, printed when the command ends; `--quiet` drops it. */
  warn(sentence: string): void;
  /** The sentences so far, and forgets them. */
  takeWarnings(): string[];
  /** Writes to standard error at once; what can't be seen is shown, but for ends of lines and tabs. */
  complain(text: string): void;
  /** The same as it is, for what moves a terminal's cursor. */
  draw(text: string): void;
  /** Standard input to its end, however long that takes; undefined when it is longer than `limit` bytes. */
  readStdin(limit: number): Uint8Array | undefined;
  /**
   * A client's event: standard input to its end, until `isAll` says so, or until nothing has come for 1.5 s, whatever kind
   * of file it is; undefined when it is longer than 8 MiB. A promise only where reading can't be kept from waiting.
   */
  readEvent(isAll: (bytes: Uint8Array) => boolean): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Standard input as it comes, for who listens to its end. */
  input(): AsyncIterable<Uint8Array>;
  /** One line of standard input without its end, for a question at a terminal; undefined where it ends before the line. */
  readLine(): string | undefined;
  /** The extension points, loaded where a plugin is configured. */
  extensions(): Promise<Extensions>;
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /**
   * Standard input, where it is a terminal, as what is typed comes. The process's own stream: one opened anew leaves
   * a read behind that Bun waits for at the end.
   */
  keyboard(): ReadStream;
  /** Calls `listener` whenever the signal comes, in place of what it does otherwise; the answer takes that back. */
  onSignal(signal: Signal, listener: () => void): () => void;
  /** Ends this process at once, whatever in it still waits; for what runs code that is not ours. */
  leave(exit: ExitName): void;
  /** Sends this process a signal. */
  raise(signal: Signal): void;
  /** Ends another process, or with a negative number a process group, if it is there and ours. */
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
