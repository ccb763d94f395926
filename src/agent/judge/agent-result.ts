import type { AgentResult, IterationSummary } from "../agent-run.ts";

/** @ensures a success has a reason, a failure an error, and there are as many iterations as summaries */
export function succeeded(reason: string, summaries: readonly IterationSummary[]): AgentResult {
  return {
    success: true,
    completionReason: reason.trim() || "the run is complete",
    iterations: summaries.length,
    summaries: [...summaries],
  };
}

/** @ensures the same */
export function failed(error: string, summaries: readonly IterationSummary[]): AgentResult {
  return {
    success: false,
    completionReason: "",
    error: error.trim() || "the run failed without a reason",
    iterations: summaries.length,
    summaries: [...summaries],
  };
}
