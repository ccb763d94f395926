import { temporaryPath } from "../../lib/temporary.ts";
import { join, sep } from "node:path";
import { disk, errnoOf } from "../../lib/fs.ts";
import { callProgram, failureIn, firstLine, type ProgramStart } from "../../lib/process.ts";
import { createFile, removeTreeQuietly } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { commandText, type CommandForm } from "./command-form.ts";
import { HOOK_TOOL } from "./model.ts";

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface CallTimes {
  readonly command: string;
  /** In milliseconds, including the shell that runs it; in the order of the calls. */
  readonly timesMs: readonly number[];
  /** What went wrong with the last call; undefined if each was answered. */
  readonly problem: string | undefined;
}

/**
 * Calls a hook's command as a client does, through a shell with an event on standard input, in a project of its own
 * whose instructions it has already told. Stops at the first call that fails.
 *
 * @input  command: one that we wrote ourselves, never a stranger's; eventFor: a tool call on a file
 * @effect processes, one after the other; a temporary directory that contains everything they write, removed afterwards
 */
export function timeCalls(
  world: World,
  form: CommandForm,
  calls: number,
  eventFor: (directory: string, file: string) => object,
): CallTimes {
  const command = commandText(form);
  const measured = inProject((project, file, env) => {
    const stdin = JSON.stringify(eventFor(project, file));
    return repeat(() => callOnce(world, form, { cwd: project, env, stdin }), calls);
  });
  return { command, ...(typeof measured === "string" ? { timesMs: [], problem: measured } : measured) };
}

/**
 * Sends events to a server of our own, about which there is nothing new.
 *
 * @input  program: the words that call this program
 * @output milliseconds for an event; a text if that could not be found out
 * @effect three processes, one after the other; a temporary directory, as above
 */
export function timeServer(
  world: World,
  program: readonly string[],
  client: string,
  events: number,
  eventFor: (directory: string, file: string) => object,
): number | string {
  const [first = "", ...rest] = program;
  return inProject((project, file, env) => {
    const given = { client, ...eventFor(project, file) };
    const params = { name: HOOK_TOOL, arguments: given };
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`;
    const run = (count: number): number | string => {
      const start = world.ticks();
      const answer = callProgram(world, {
        program: first,
        args: [...rest, "mcp", "--hooks"],
        cwd: project,
        env,
        stdin: line.repeat(count),
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      });
      return failureIn(answer) ?? world.ticks() - start;
    };
    // The start of a process varies by more than an event takes.
    const [start, again, all] = [run(1), run(1), run(events + 1)];
    for (const took of [start, again, all]) if (typeof took === "string") return took;
    return Math.max(Number(all) - Math.min(Number(start), Number(again)), 0) / events;
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Measures something in a project of its own, which is gone afterwards; a text where it can't be made. */
function inProject<Measured>(
  measure: (project: string, file: string, env: Environment) => Measured,
): Measured | string {
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
    return measure(project, file, env);
  } catch (error) {
    return `can't make a temporary directory (${errnoOf(error)})`;
  } finally {
    if (directory !== undefined) removeTreeQuietly(directory);
  }
}

type Called = { readonly tookMs: number; readonly problem: string | undefined };

/** The first call is not counted: it tells the instructions; the others have nothing to tell. */
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
  form: CommandForm,
  options: { cwd: string; env: Readonly<Record<string, string | undefined>>; stdin: string },
): Called {
  const start = world.ticks();
  const answer = callProgram(world, {
    ...startOf(world, form),
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

/** On Windows every known client runs a text with cmd, or with a shell that accepts the same. */
function startOf({ env }: World, { command, args, commandWindows }: CommandForm): ProgramStart {
  if (args !== undefined) return { program: command, args };
  if (sep === "/") return { program: "/bin/sh", args: ["-c", command] };
  const line = ["/d", "/s", "/c", `"${commandWindows ?? command}"`];
  return { program: env["ComSpec"] ?? String.raw`C:\Windows\System32\cmd.exe`, args: line, isVerbatim: true };
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
