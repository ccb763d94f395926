import { visible } from "../../lib/escape.ts";
import { disk, errnoOf } from "../../lib/fs.ts";
import { closeQuietly } from "../../lib/read-file.ts";
import type { World } from "../../world.ts";
import type { Listen, RunEvent } from "./execution.ts";

/** Tells a person at a terminal what goes on; nobody else. */
export function watchRun(world: World, isQuiet: boolean): Listen {
  if (isQuiet || !world.isTerminal("stderr")) return () => {};
  let iteration = 0;
  return (event) => {
    if (event.event === "iteration") ({ iteration } = event);
    const line = lineFor(event);
    if (line !== undefined) world.complain(renderProgress(iteration, line));
  };
}

function lineFor(event: RunEvent): string | undefined {
  switch (event.event) {
    case "started":
      return `${event.instance} in ${event.cwd}`;
    case "iteration":
      return `step ${event.step}`;
    case "query":
      return event.about === "step" ? `asking ${event.engine}` : `asking ${event.engine} whether it passes`;
    case "engine":
      return event.told.kind === "tool"
        ? `${event.engine} uses ${event.told.name}`
        : event.told.kind === "text"
          ? `${event.engine}: ${event.told.text}`
          : event.told.kind === "waiting"
            ? `${event.engine} waits: ${event.told.reason}`
            : undefined;
    case "failure":
      return event.error;
    case "wait":
      return `waiting ${(event.delayMs / 1000).toFixed(1)} s, then asking ${event.engine} again`;
    case "new-session":
      return `a new session of ${event.engine}`;
    case "fallback":
      return `${event.to} stands in for ${event.from}`;
    case "check":
      return `${event.pass ? "passed" : "not passed"}: ${event.reason}`;
    case "skipped":
      return `step ${event.step} is left out: ${event.reason}`;
    case "unrecorded":
      return `the run can't be recorded (${event.reason})`;
    case "answer":
    case "iteration-ended":
    case "ended":
      return undefined;
  }
}

export interface EventLog {
  readonly listen: Listen;
  close(): void;
}

/**
 * Every event of a run as a line of JSON, with its time, at the end of a file.
 *
 * @output the log, or the errno where the file can't be opened
 * @effect the file, made where there is none
 * @error  none: a line that can't be written is left out, with one warning
 */
export function openEventLog(world: World, path: string): EventLog | string {
  let descriptor: number;
  try {
    descriptor = disk.openToAppend(path);
  } catch (error) {
    return errnoOf(error);
  }
  let isFailing = false;
  return {
    listen(event) {
      const line = `${JSON.stringify({ time: new Date(world.now()).toISOString(), ...event })}\n`;
      try {
        let rest: Uint8Array = new TextEncoder().encode(line);
        while (rest.length > 0) rest = rest.subarray(disk.write(descriptor, rest));
      } catch (error) {
        if (!isFailing) world.warn(`the log '${path}' is not complete (${errnoOf(error)})`);
        isFailing = true;
      }
    },
    close: () => closeQuietly(descriptor),
  };
}

/** Long enough to be understood, short enough for a line. */
const MAX_UNITS = 160;

/** One line of what goes on in a run, for a person who watches. */
export function renderProgress(iteration: number, text: string): string {
  const line = visible(text.replaceAll(/\s+/g, " ").trim());
  return `codelia: [${iteration}] ${line.length > MAX_UNITS ? `${line.slice(0, MAX_UNITS - 1)}…` : line}\n`;
}

interface Summary {
  readonly iteration: number;
  readonly step: string;
  readonly engine?: string | undefined;
  readonly passed: boolean;
  readonly reason: string;
  readonly skipped?: boolean | undefined;
  readonly durationMs: number;
  readonly costUsd?: number | undefined;
}

interface Result {
  readonly success: boolean;
  readonly completionReason: string;
  readonly error?: string | undefined;
  readonly summaries: readonly Summary[];
}

/** How a run ended, for a person: a line for each iteration, the end last. */
export function renderAgentResult(result: Result): string {
  const lines = result.summaries.map((summary) => {
    const { iteration, step, engine, passed, skipped, reason, durationMs, costUsd } = summary;
    const state = skipped === true ? "left out" : passed ? "passed" : "not passed";
    const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
    const by = engine === undefined ? "" : `, ${engine}`;
    return `${iteration} ${step}: ${state} (${(durationMs / 1000).toFixed(1)} s${by}${cost}): ${firstLine(reason)}\n`;
  });
  const end = result.success ? `complete: ${result.completionReason}` : `failed: ${result.error ?? ""}`;
  return `${lines.join("")}${firstLine(end)}\n`;
}

function firstLine(text: string): string {
  return visible(text.split(/\r?\n/, 1)[0] ?? "");
}

interface ShownRun {
  readonly instance: string;
  readonly mode: string;
  readonly status: string;
  readonly step: string;
  readonly iterations: number;
  readonly costUsd: number | null;
  readonly session?: string | undefined;
  readonly branch?: string | undefined;
  readonly result?:
    | { readonly success: boolean; readonly completionReason: string; readonly error?: string | undefined }
    | undefined;
}

/** Runs for a person: two lines each. */
export function renderAgentRuns(runs: readonly ShownRun[]): string {
  return runs.map(renderRun).join("");
}

function renderRun(run: ShownRun): string {
  const { instance, mode, status, step, iterations, costUsd, session, branch, result } = run;
  const facts = [
    mode,
    `${iterations} iteration${iterations === 1 ? "" : "s"}`,
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
    ...(session === undefined ? [] : [`session ${visible(session)}`]),
    ...(branch === undefined ? [] : [`branch ${visible(branch)}`]),
  ];
  return `${instance} (${facts.join(", ")})\n  ${visible(stateOf(status, step, result).split(/\r?\n/, 1)[0] ?? "")}\n`;
}

function stateOf(status: string, step: string, result: ShownRun["result"]): string {
  if (result !== undefined)
    return result.success ? `complete: ${result.completionReason}` : `failed: ${result.error ?? ""}`;
  return status === "dead" ? `dead at step ${step}: its process is gone` : `${status}: at step ${step}`;
}
