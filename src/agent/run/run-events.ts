import type { AgentResult, IterationSummary } from "../agent-run.ts";
import type { EngineEvent } from "../engines/engine.ts";

/** What goes on in a run, as it comes: for the log and for whoever watches. */
export type RunEvent =
  | { readonly event: "started"; readonly instance: string; readonly definition: string; readonly cwd: string }
  | { readonly event: "iteration"; readonly iteration: number; readonly step: string }
  | { readonly event: "query"; readonly engine: string; readonly about: "step" | "check"; readonly prompt: string }
  | { readonly event: "engine"; readonly engine: string; readonly told: EngineEvent }
  | { readonly event: "failure"; readonly engine: string; readonly error: string }
  | { readonly event: "wait"; readonly engine: string; readonly delayMs: number }
  | { readonly event: "new-session"; readonly engine: string }
  | { readonly event: "fallback"; readonly from: string; readonly to: string }
  | { readonly event: "answer"; readonly engine: string; readonly text: string; readonly structured?: unknown }
  | { readonly event: "check"; readonly step: string; readonly pass: boolean; readonly reason: string }
  | { readonly event: "skipped"; readonly step: string; readonly reason: string }
  | { readonly event: "iteration-ended"; readonly summary: IterationSummary }
  | { readonly event: "unrecorded"; readonly reason: string }
  | { readonly event: "ended"; readonly result: AgentResult };

export type Listen = (event: RunEvent) => void;
