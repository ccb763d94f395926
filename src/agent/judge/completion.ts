import type { ContextCarry } from "../engines/recovery.ts";
import type { AgentResult, IterationSummary } from "../run-schema.ts";
import type { Completion, AgentDefinition } from "../schema.ts";

interface CompletionContext {
  /** The number of iterations, this one included. */
  readonly iteration: number;
  /** The message just received. */
  readonly message: string;
  /** Read-only. */
  readonly carry: ContextCarry;
}

export type CompletionResult =
  | { readonly complete: true; readonly reason: string }
  | { readonly complete: false; readonly reason?: undefined };

/** Whether a run is complete, and the result of the last check. */
export interface CompletionJudge {
  check(context: CompletionContext): CompletionResult;
  isComplete(): boolean;
  /** "" while the run is not complete. */
  getReason(): string;
}

const NOT_YET: CompletionResult = { complete: false };

/** Without a condition, only a step that leads to the end completes a run. */
export function createCompletion(condition: Completion | undefined): CompletionJudge {
  let last = NOT_YET;
  return {
    check(context) {
      last = condition === undefined ? NOT_YET : judge(condition, context);
      return last;
    },
    isComplete: () => last.complete,
    getReason: () => last.reason ?? "",
  };
}

/** Whether a condition can come true before the run reaches its limit. */
export function canComplete(condition: Completion, maxIterations: number): boolean {
  switch (condition.type) {
    case "iterationBudget":
      return condition.max <= maxIterations;
    case "keywordSignal":
      return true;
    case "composite": {
      const { conditions } = condition;
      const canPart = (part: Completion) => canComplete(part, maxIterations);
      return condition.mode === "any" ? conditions.some(canPart) : conditions.every(canPart);
    }
  }
}

function judge(condition: Completion, context: CompletionContext): CompletionResult {
  switch (condition.type) {
    case "iterationBudget":
      return context.iteration >= condition.max
        ? { complete: true, reason: `the budget of ${condition.max} iterations is used up` }
        : NOT_YET;
    case "keywordSignal":
      return hasLine(context.message, condition.keyword)
        ? { complete: true, reason: `the answer says '${condition.keyword}'` }
        : NOT_YET;
    case "composite":
      return condition.mode === "any"
        ? judgeAny(condition.conditions, context)
        : judgeAll(condition.conditions, context);
  }
}

function judgeAny(conditions: readonly Completion[], context: CompletionContext): CompletionResult {
  for (const condition of conditions) {
    const result = judge(condition, context);
    if (result.complete) return result;
  }
  return NOT_YET;
}

function judgeAll(conditions: readonly Completion[], context: CompletionContext): CompletionResult {
  const reasons: string[] = [];
  for (const condition of conditions) {
    const result = judge(condition, context);
    if (!result.complete) return NOT_YET;
    reasons.push(result.reason);
  }
  return { complete: true, reason: reasons.join(", and ") };
}

/** Whether the keyword stands on a line of its own: a mention in a sentence is not a signal. */
function hasLine(message: string, keyword: string): boolean {
  return message.split(/\r\n|\r|\n/).some((line) => line.trim() === keyword);
}

/** A success has a reason, a failure an error, and either has one summary for each iteration. */
export function succeeded(reason: string, summaries: readonly IterationSummary[]): AgentResult {
  return {
    success: true,
    completionReason: reason.trim() || "the run is complete",
    iterations: summaries.length,
    summaries: [...summaries],
  };
}

export function failed(error: string, summaries: readonly IterationSummary[]): AgentResult {
  return {
    success: false,
    completionReason: "",
    error: error.trim() || "the run failed without a reason",
    iterations: summaries.length,
    summaries: [...summaries],
  };
}

const DEFAULT_LIMITS = { maxIterations: 50, maxRetries: 3, timeoutMs: 600_000 } as const;

export interface Limits {
  readonly maxIterations: number;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

export function limitsOf({ limits }: Pick<AgentDefinition, "limits">): Limits {
  return {
    maxIterations: limits?.maxIterations ?? DEFAULT_LIMITS.maxIterations,
    maxRetries: limits?.maxRetries ?? DEFAULT_LIMITS.maxRetries,
    timeoutMs: limits?.timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
  };
}
