import { visible } from "../../lib/escape.ts";

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
