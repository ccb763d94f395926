import { withoutEnd } from "../../lib/text.ts";
import { counted } from "../../lib/words.ts";
import type { ContextCarry } from "../engines/recovery.ts";
import type { AgentResult, Failure, IterationSummary } from "../run-schema.ts";
import type { Completion, AgentDefinition } from "../schema.ts";

interface CompletionContext {
  /** The number of iterations, this one included. */
  readonly iteration: number;
  /** The message just received. */
  readonly message: string;
  /** Read-only. */
  readonly carry: ContextCarry;
}

type CompletionResult =
  | { readonly complete: true; readonly reason: string }
  | { readonly complete: false; readonly reason?: undefined };

/** Decides whether a run is complete, and creates its result. */
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

/** Whether a condition can become true before the run reaches its limit. */
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
        ? { complete: true, reason: `the budget of ${counted(condition.max, "iteration")} is used up` }
        : NOT_YET;
    case "keywordSignal":
      return givesSignal(context.message, condition.keyword)
        ? { complete: true, reason: `the answer says '${condition.keyword}'` }
        : NOT_YET;
    case "composite":
      return condition.mode === "any"
        ? judgeAny(condition.conditions, context)
        : judgeAll(condition.conditions, context);
  }
}

/** Stops at the first that is true. */
function judgeAny(conditions: readonly Completion[], context: CompletionContext): CompletionResult {
  for (const condition of conditions) {
    const result = judge(condition, context);
    if (result.complete) return result;
  }
  return NOT_YET;
}

function judgeAll(conditions: readonly Completion[], context: CompletionContext): CompletionResult {
  const results = conditions.map((condition) => judge(condition, context));
  if (!results.every(({ complete }) => complete)) return NOT_YET;
  return { complete: true, reason: results.map(({ reason }) => reason).join(", and ") };
}

/** The words that signal the end, each once. */
export function keywordsOf(condition: Completion | undefined): string[] {
  switch (condition?.type) {
    case "keywordSignal":
      return [condition.keyword];
    case "composite":
      return [...new Set(condition.conditions.flatMap(keywordsOf))];
    case "iterationBudget":
    case undefined:
      return [];
  }
}

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

/** A success has a reason, a failure has an error; both have one summary for each iteration. */
export function succeeded(reason: string, summaries: readonly IterationSummary[]): AgentResult {
  return {
    success: true,
    completionReason: reason.trim() || "the run is complete",
    iterations: summaries.length,
    summaries: [...summaries],
  };
}

/** @param failure the kind of error */
export function failed(error: string, summaries: readonly IterationSummary[], failure: Failure): AgentResult {
  return {
    success: false,
    completionReason: "",
    error: error.trim() || "the run failed without a reason",
    failure,
    iterations: summaries.length,
    summaries: [...summaries],
  };
}

export function limitReached(maxIterations: number): string {
  return `the run is not complete after ${counted(maxIterations, "iteration")}, its limit`;
}

const DEFAULT_LIMITS = { maxIterations: 50, maxRetries: 3, maxSameAnswers: 5, timeoutMs: 600_000 } as const;

interface Limits {
  readonly maxIterations: number;
  readonly maxRetries: number;
  /** 0 for no limit. */
  readonly maxSameAnswers: number;
  readonly timeoutMs: number;
}

export function limitsOf({ limits }: Pick<AgentDefinition, "limits">): Limits {
  return {
    maxIterations: limits?.maxIterations ?? DEFAULT_LIMITS.maxIterations,
    maxRetries: limits?.maxRetries ?? DEFAULT_LIMITS.maxRetries,
    maxSameAnswers: limits?.maxSameAnswers ?? DEFAULT_LIMITS.maxSameAnswers,
    timeoutMs: limits?.timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
  };
}

/**
 * Whether a message gives a signal: the keyword is on a line of its own, or at the end of a line after a finished
 * sentence. It may be emphasised and end with a full stop. A mention within a sentence is no signal.
 */
function givesSignal(message: string, keyword: string): boolean {
  return message.split(/\r\n|\r|\n/).some((line) => endsWithSignal(line.trim(), keyword));
}

const EMPHASIS = "*_~`";
/** Not a question mark: a question is no signal. */
const CLOSING = ".!…。！ ";
/** Ends of sentences that are not followed by a space. */
const WIDE_ENDS = "。！？";
const ENDS = `.!?…${WIDE_ENDS}`;
const QUOTES = "\"')]”’»」』";
/** More than anyone writes around a word. */
const MAX_MARKS = 8;

function endsWithSignal(line: string, keyword: string): boolean {
  for (let marks = 0; marks <= MAX_MARKS; marks++) {
    const end = line.length - marks;
    const start = end - keyword.length;
    if (start < 0) return false;
    if (line.startsWith(keyword, start) && mayPrecede(line.slice(0, start))) return true;
    if (!`${EMPHASIS}${CLOSING}`.includes(line.charAt(end - 1))) return false;
  }
  return false;
}

function mayPrecede(head: string): boolean {
  const text = withoutEnd(head, EMPHASIS);
  if (text === "") return true;
  if (WIDE_ENDS.includes(text.charAt(text.length - 1))) return true;
  const sentence = text.trimEnd();
  return sentence.length < text.length && isFinished(withoutEnd(sentence, `${EMPHASIS}${QUOTES}`));
}

/** `e.g.` and the number of a list item end with a full stop too. */
function isFinished(sentence: string): boolean {
  const mark = sentence.charAt(sentence.length - 1);
  if (mark === "" || !ENDS.includes(mark)) return false;
  if (mark !== ".") return true;
  const text = sentence.slice(0, -1);
  const word = text.slice(text.lastIndexOf(" ") + 1);
  const isNumber = text === word && word !== "" && !Number.isNaN(Number(word));
  return !isNumber && (word.length < 3 || word.split(".").some((part) => part.length > 1));
}
