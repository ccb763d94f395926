import { temporaryPath } from "../../lib/temporary-path.ts";
import { join } from "node:path";
import { disk, errnoOf } from "../../lib/fs.ts";
import { callProgram, failureIn, firstLine } from "../../lib/process.ts";
import { createFile, removeTreeQuietly } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface CallTimes {
  readonly command: string;
  /** In milliseconds, with the shell that runs it; in the order of the calls. */
  readonly timesMs: readonly number[];
  /** What went wrong with the last call; undefined where each was answered. */
  readonly problem: string | undefined;
}

/**
 * Calls a hook's command as a client does, by a shell with an event on standard input, in a project of its own whose
 * instructions it has already told. It stops at the first call that fails.
 *
 * @input  command: one that we wrote ourselves, never a stranger's; eventFor: a call of a tool on a file
 * @effect processes, one after the other; a temporary directory that holds all that they write, removed afterwards
 */
export function timeCalls(
  world: World,
  command: string,
  calls: number,
  eventFor: (directory: string, file: string) => object,
): CallTimes {
  let directory: string | undefined;
  try {
    directory = disk.realPath(disk.makeTemporary(temporaryPath("codelia-doctor-")));
    const project = join(directory, "project");
    const file = join(project, "AGENTS.md");
    disk.makeDirectory(join(project, ".git"));
    createFile(file, "# Doctor\n");
    // A trace would go to standard error, where the hook should write nothing.
    const env = {
      CODELIA_TRACE: undefined,
      XDG_STATE_HOME: join(directory, "state"),
      XDG_CACHE_HOME: join(directory, "cache"),
    };
    const stdin = JSON.stringify(eventFor(project, file));
    const call = () => callOnce(world, command, { cwd: project, env, stdin });
    return { command, ...repeat(call, calls) };
  } catch (error) {
    return { command, timesMs: [], problem: `can't make a temporary directory (${errnoOf(error)})` };
  } finally {
    if (directory !== undefined) removeTreeQuietly(directory);
  }
}

type Called = { readonly tookMs: number; readonly problem: string | undefined };

/** The first call is not counted: it tells the instructions, the others have nothing to tell. */
function repeat(call: () => Called, calls: number): Pick<CallTimes, "timesMs" | "problem"> {
  const timesMs: number[] = [];
  let { problem } = call();
  while (problem === undefined && timesMs.length < calls) {
    const called = call();
    ({ problem } = called);
    if (problem === undefined) timesMs.push(called.tookMs);
  }
  return { timesMs, problem };
}

function callOnce(
  world: World,
  command: string,
  options: { cwd: string; env: Readonly<Record<string, string | undefined>>; stdin: string },
): Called {
  const start = world.ticks();
  const answer = callProgram(world, {
    program: "/bin/sh",
    args: ["-c", command],
    ...options,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const tookMs = world.ticks() - start;
  const failure = failureIn(answer);
  if (answer.kind === "failed" || failure !== undefined) return { tookMs, problem: failure };
  const warning = firstLine(answer.stderr);
  if (warning !== "") return { tookMs, problem: `it wrote to standard error: ${warning}` };
  return { tookMs, problem: isAnswer(answer.stdout) ? undefined : "its output is not JSON" };
}

function isAnswer(stdout: string): boolean {
  if (stdout.trim() === "") return true;
  try {
    return typeof JSON.parse(stdout) === "object";
  } catch {
    return false;
  }
}

/** `5.1 ms min, 5.4 ms median, 7.0 ms max` */
export function summariseTimes(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((left, right) => left - right);
  const at = (index: number) => sorted[index] ?? 0;
  const last = sorted.length - 1;
  const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  const format = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
  return `${format(at(0))} min, ${format(median)} median, ${format(at(last))} max`;
}
