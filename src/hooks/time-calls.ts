import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "../world.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { createFile, removeTreeQuietly } from "../lib/write-file.ts";

export interface CallTimes {
  readonly command: string;
  /** In milliseconds, the shell that runs it included; in the order of the calls. */
  readonly timesMs: readonly number[];
  /** What a call did wrong; undefined where each was answered. */
  readonly problem: string | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Calls a hook's command as a host does, by a shell with an event on standard input, in a project of its own that
 * knows the path already.
 *
 * @input  command: one that we wrote ourselves, never a stranger's; eventFor: a call of a tool on a file
 * @output how long each call took, to the first that went wrong
 * @effect processes, one after the other; a temporary directory, gone afterwards, that holds all that they write
 * @error  none
 */
export function timeCalls(
  world: World,
  command: string,
  calls: number,
  eventFor: (directory: string, file: string) => object,
): CallTimes {
  let place: string | undefined;
  try {
    place = disk.realPath(disk.makeTemporary(join(tmpdir(), "codelia-doctor-")));
    const project = join(place, "project");
    const file = join(project, "AGENTS.md");
    disk.makeDirectory(join(project, ".git"));
    createFile(file, "# Doctor\n");
    // A trace on standard error is not the hook's fault.
    const env = {
      ...world.env,
      CODELIA_TRACE: undefined,
      XDG_STATE_HOME: join(place, "state"),
      XDG_CACHE_HOME: join(place, "cache"),
    };
    const input = JSON.stringify(eventFor(project, file));
    const call = () => callOnce(world, command, { cwd: project, env, input });
    return { command, ...repeat(call, calls) };
  } catch (error) {
    return { command, timesMs: [], problem: `no temporary directory can be made (${errnoOf(error)})` };
  } finally {
    if (place !== undefined) removeTreeQuietly(place);
  }
}

type Called = { readonly tookMs: number; readonly problem: string | undefined };

/** The first call tells, and is not counted: the others find the path covered. */
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
  options: { cwd: string; env: Readonly<Record<string, string | undefined>>; input: string },
): Called {
  const start = world.ticks();
  const { status, signal, stdout, stderr, error } = spawnSync("/bin/sh", ["-c", command], {
    ...options,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const tookMs = world.ticks() - start;
  if (error !== undefined) return { tookMs, problem: `it can't be run (${errnoOf(error)})` };
  const said = stderr.trim().split("\n")[0] ?? "";
  if (status !== 0)
    return { tookMs, problem: `it ended with ${signal ?? `exit code ${status}`}${said && `: ${said}`}` };
  if (said !== "") return { tookMs, problem: `it wrote to standard error: ${said}` };
  return { tookMs, problem: isAnswer(stdout) ? undefined : "what it wrote is no JSON" };
}

function isAnswer(stdout: string): boolean {
  if (stdout.trim() === "") return true;
  try {
    return typeof JSON.parse(stdout) === "object";
  } catch {
    return false;
  }
}
