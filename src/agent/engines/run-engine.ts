import { findProgram } from "../../lib/find-program.ts";
import { runProgram } from "../../lib/run-program.ts";
import type { World } from "../../world.ts";
import { ConnectionError, ExecutionError } from "../errors.ts";
import type { QueryOptions } from "./engine.ts";
import type { OutputReader } from "./output-reader.ts";
import { queryMarker } from "./run-variable.ts";

export interface EngineRun {
  readonly engine: string;
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Beside what the query's own options name. */
  readonly env?: Readonly<Record<string, string>>;
  readonly reader: OutputReader;
}

/** Of a line that explains an error. */
const MAX_WORDS = 500;

/**
 * Runs an engine's program with the prompt on its standard input.
 *
 * @input  prompt: not blank
 * @output how it ended by itself
 * @effect the program's; when this answers or throws, a program that was ended is gone with all it started
 * @error  as Engine.query
 */
export async function runEngine(
  world: World,
  prompt: string,
  { cwd, env, timeoutMs, signal, mark }: QueryOptions,
  run: EngineRun,
): Promise<{ readonly exitCode: number; readonly stderr: string }> {
  const { engine, program, args, reader } = run;
  if (prompt.trim() === "") {
    throw new ExecutionError(`engine '${engine}' can't be asked: the prompt is blank`, { recoverable: false });
  }
  let problem: ConnectionError | undefined;
  const end = await runProgram(world, {
    program,
    args,
    cwd,
    env: { ...run.env, ...env },
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
      return end;
    case "stopped":
      throw problem ?? new ConnectionError("failed", `engine '${engine}' was ended`);
    case "aborted":
      throw new ExecutionError(`engine '${engine}' was ended before it had answered: the run was stopped`, {
        recoverable: false,
      });
    case "timed-out":
      throw new ConnectionError("timed_out", `engine '${engine}' gave no answer within ${timeoutMs} ms, and was ended`);
    case "failed":
      throw new ConnectionError("not_installed", `engine '${engine}' can't be run: ${end.reason} ('${program}')`);
  }
}

/** Where the user has an engine's program, which is never one of the tree that the run is about. */
export function findEngine(world: World, engine: string, tree: string): string {
  const program = findProgram(world, engine, tree);
  if (program !== undefined) return program;
  const way = "install it, or name another engine";
  throw new ConnectionError(
    "not_installed",
    `engine '${engine}' is not installed: it is not on PATH outside the clone; ${way}`,
  );
}

/** Why a program ended badly, in its own words: the line that names an error, or else its last. */
export function lastWords(stderr: string): string {
  const lines = stderr.split("\n").flatMap((line) => line.trim() || []);
  const line = lines.find((candidate) => /^error\b/i.test(candidate)) ?? lines.at(-1);
  return line?.slice(0, MAX_WORDS) ?? "it did not say why";
}
