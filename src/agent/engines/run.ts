import { joinBytes } from "../../lib/bytes.ts";
import { lineCutter, type Line } from "../../lib/lines.ts";
import { runProgram } from "../../lib/process.ts";
import { findProgram } from "../../lib/programs.ts";
import type { World } from "../../world.ts";
import { ConnectionError, ExecutionError } from "../errors.ts";
import { queryMarker, type QueryOptions } from "./engine.ts";

interface EngineRun {
  readonly engine: string;
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Added to the user's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly reader: OutputReader;
}

interface EngineEnd {
  readonly exitCode: number;
  /** The line of standard error that says why, or else its last line. */
  readonly words: string;
  readonly durationMs: number;
}

/**
 * Runs an engine's program with the prompt on its standard input.
 *
 * @output how it ended by itself
 * @effect the program's; if it was ended, it and everything it started are gone when this returns or throws
 * @error  as Engine.query
 */
export async function runEngine(
  world: World,
  prompt: string,
  { cwd, timeoutMs, signal, mark }: QueryOptions,
  run: EngineRun,
): Promise<EngineEnd> {
  const { engine, program, args, env = {}, reader } = run;
  if (prompt.trim() === "") {
    throw new ExecutionError(`engine '${engine}' can't be asked: the prompt is blank`);
  }
  const startedAt = world.ticks();
  let problem: ConnectionError | undefined;
  const end = await runProgram(world, {
    program,
    args,
    cwd,
    env,
    marker: queryMarker(world, mark),
    stdin: prompt,
    timeoutMs,
    signal,
    onOutput: (bytes, stop) => {
      problem ??= reader.take(bytes);
      if (problem !== undefined) stop();
    },
  });
  switch (end.kind) {
    case "ended":
      problem ??= reader.end();
      if (problem !== undefined) throw problem;
      return {
        exitCode: end.exitCode,
        words: lastWords(end.stderr),
        durationMs: Math.round(world.ticks() - startedAt),
      };
    case "stopped":
      throw problem ?? new ConnectionError("failed", `engine '${engine}' was ended`);
    case "aborted":
      throw new ExecutionError(`engine '${engine}' was ended before it answered: the run was stopped`);
    case "timed-out":
      throw new ConnectionError("timed_out", `engine '${engine}' did not answer within ${timeoutMs} ms, and was ended`);
    case "failed":
      throw new ConnectionError("not_installed", `engine '${engine}' can't be run: ${end.reason} ('${program}')`);
  }
}

const MAX_WORDS = 500;

function lastWords(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => line.trim() || []);
  const line = lines.find((candidate) => /^error\b/i.test(candidate)) ?? lines.at(-1);
  return line?.slice(0, MAX_WORDS) ?? "it did not say why";
}

/** The program of an engine on the user's PATH, never one inside the directory of the run. */
export function findEngine(world: World, engine: string, tree: string): string {
  const program = findProgram(world, engine, tree);
  if (program !== undefined) return program;
  throw new ConnectionError("not_installed", notInstalled(engine, "it is not on PATH outside the clone"));
}

export function notInstalled(engine: string, why: string): string {
  return `engine '${engine}' is not installed: ${why}; install it, or name another with '--engine'`;
}

/** Processes a program's output as it arrives; an error ends the program. */
interface OutputReader {
  take(bytes: Uint8Array): ConnectionError | undefined;
  /** When the program has ended. */
  end(): ConnectionError | undefined;
}

/** An answer is carried into prompts and written to the record of the run. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** One event may contain a whole file that a tool has read. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Reads line by line: of a long session, only what `onLine` keeps is kept. */
export function readLines(engine: string, onLine: (line: string) => ConnectionError | undefined): OutputReader {
  const cutter = lineCutter(MAX_LINE_BYTES);
  const read = (lines: readonly Line[]) => {
    for (const line of lines) {
      if (line.kind === "too-long") return tooLong(engine, "an event", MAX_LINE_BYTES);
      const problem = line.text.trim() === "" ? undefined : onLine(line.text);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  return { take: (bytes) => read(cutter.push(bytes)), end: () => read(cutter.end()) };
}

/** All of it as one text. */
export function readWhole(engine: string): OutputReader & { text(): string } {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    take(bytes) {
      size += bytes.length;
      if (size > MAX_ANSWER_BYTES) return tooLong(engine, "its answer", MAX_ANSWER_BYTES);
      parts.push(bytes.slice());
      return undefined;
    },
    end: () => undefined,
    text: () => new TextDecoder().decode(joinBytes(parts)),
  };
}

/** @error ConnectionError if an answer that came in an event is too long */
export function assertLength(engine: string, text: string): void {
  const isLong = text.length > MAX_ANSWER_BYTES / 4 && new TextEncoder().encode(text).length > MAX_ANSWER_BYTES;
  if (isLong) throw tooLong(engine, "its answer", MAX_ANSWER_BYTES);
}

function tooLong(engine: string, what: string, limit: number): ConnectionError {
  const message = `engine '${engine}' wrote too much: ${what} is longer than ${limit} bytes; ask for less`;
  return new ConnectionError("answer_too_long", message, { limitBytes: limit });
}
