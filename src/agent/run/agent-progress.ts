import { visible } from "../../lib/escape.ts";

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
