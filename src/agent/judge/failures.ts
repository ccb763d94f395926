import type { Failure } from "../run-schema.ts";

/** The kinds of failure that are not errors of something that was called. */
export const FAILURES = {
  stopped: { class: "ExecutionError", code: "Stopped", recoverable: false },
  processGone: { class: "ExecutionError", code: "ProcessGone", recoverable: false },
  notStarted: { class: "ExecutionError", code: "NotStarted", recoverable: false },
  limitReached: { class: "ExecutionError", code: "LimitReached", recoverable: false },
  unusable: { class: "ConfigurationError", code: "Unusable", recoverable: false },
  denied: { class: "ExecutionError", code: "NotTrusted", recoverable: false },
  untold: { class: "ExecutionError", code: "PromptNotWritten", recoverable: false },
  /** A step's tries are used up. */
  notPassed: { class: "JudgmentError", code: "NotPassed", recoverable: true },
  sameAnswer: { class: "JudgmentError", code: "SameAnswer", recoverable: true },
} as const satisfies Record<string, Failure>;
