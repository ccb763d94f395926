import { visible } from "../../lib/escape.ts";
import { disk, errnoOf } from "../../lib/fs.ts";
import { closeQuietly } from "../../lib/read-file.ts";
import { counted } from "../../lib/words.ts";
import { writeAll } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import type { AgentResult, AgentRun, IterationSummary } from "../run-schema.ts";
import type { Listen, RunEvent } from "./execution.ts";

/** Shows progress to a person at a terminal. */
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
      return `asking ${event.engine} again in ${(event.delayMs / 1000).toFixed(1)} s`;
    case "new-session":
      return `a new session of ${event.engine}`;
    case "fallback":
      return `falling back from ${event.from} to ${event.to}`;
    case "check":
      return `${event.pass ? "passed" : "not passed"}: ${event.reason}`;
    case "skipped":
      return `step ${event.step} is skipped: ${event.reason}`;
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
 * Appends every event of a run to a file, as a line of JSON with its time. Lines that can't be written are skipped,
 * with one warning.
 *
 * @output the log, or the errno if the file can't be opened
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
      const written = writeAll(descriptor, new TextEncoder().encode(line));
      if (written.kind === "written") return;
      if (!isFailing) world.warn(`the log '${path}' is incomplete (${written.errno})`);
      isFailing = true;
    },
    close: () => closeQuietly(descriptor),
  };
}

const MAX_UNITS = 160;

function renderProgress(iteration: number, text: string): string {
  const line = visible(text.replaceAll(/\s+/g, " ").trim());
  return `codelia: [${iteration}] ${line.length > MAX_UNITS ? `${line.slice(0, MAX_UNITS - 1)}…` : line}\n`;
}

/** A line for each iteration, then how the run ended. */
export function renderAgentResult(result: AgentResult): string {
  const lines = result.summaries.map((summary) => {
    const { iteration, step, engine, reason, durationMs, costUsd } = summary;
    const state = stateOfStep(summary);
    const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
    const by = engine === undefined ? "" : `, ${engine}`;
    return `${iteration} ${step}: ${state} (${(durationMs / 1000).toFixed(1)} s${by}${cost}): ${firstLine(reason)}\n`;
  });
  return `${lines.join("")}${firstLine(endOf(result))}\n`;
}

function stateOfStep({ passed, skipped, unchecked }: IterationSummary): string {
  if (skipped === true) return "skipped";
  if (unchecked === true) return "unchecked";
  return passed ? "passed" : "not passed";
}

function firstLine(text: string): string {
  return visible(text.split(/\r?\n/, 1)[0] ?? "");
}

/** A run as `agent status` shows it. */
export interface ShownRun extends Pick<AgentRun, "instance" | "mode" | "step" | "session" | "branch" | "result"> {
  readonly status: AgentRun["status"] | "dead";
  readonly iterations: number;
  readonly costUsd: number | null;
}

/** Two lines for each run. */
export function renderAgentRuns(runs: readonly ShownRun[]): string {
  return runs.map(renderRun).join("");
}

function renderRun(run: ShownRun): string {
  const { instance, mode, iterations, costUsd, session, branch } = run;
  const facts = [
    mode,
    counted(iterations, "iteration"),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
    ...(session === undefined ? [] : [`session ${visible(session)}`]),
    ...(branch === undefined ? [] : [`branch ${visible(branch)}`]),
  ];
  return `${instance} (${facts.join(", ")})\n  ${firstLine(stateOf(run))}\n`;
}

function stateOf({ status, step, result }: ShownRun): string {
  if (result !== undefined) return endOf(result);
  return status === "dead" ? `dead at step ${step}: its process is gone` : `${status}: at step ${step}`;
}

function endOf({ success, completionReason, error = "" }: AgentResult): string {
  return success ? `complete: ${completionReason}` : `failed: ${error}`;
}
