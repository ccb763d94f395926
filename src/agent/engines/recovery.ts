import { AgentError, ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../errors.ts";
import type { Outputs } from "../judge/variables.ts";
import type { Engine, QueryOptions, QueryResult } from "./engine.ts";

export interface RecoveryPlan {
  /** Each is asked if the one before it gives no answer. */
  readonly engines: readonly [Engine, ...Engine[]];
  /** For each engine. */
  readonly maxRetries: number;
  /** Whether the step may be skipped. */
  readonly isOptional: boolean;
  /** What an engine without a session of the run is told. */
  readonly carry: ContextCarry;
  /** Resolves early when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onRecovery?: (engine: string, error: AgentError, recovery: Recovery) => void;
}

type RecoveredQuery =
  | { readonly kind: "answered"; readonly engine: string; readonly result: QueryResult }
  | { readonly kind: "skipped"; readonly error: AgentError };

/**
 * @input  options.sessionId: of the first engine; timeoutMs: of each try, and the longest wait that a service may ask
 *          for
 * @output the answer and which engine gave it, or why an optional step is skipped
 * @effect queries and waits; a query without a session is told what the run carries
 * @error  AgentError: the last one, if no engine answered
 */
export async function queryWithRecovery(
  prompt: string,
  options: QueryOptions,
  plan: RecoveryPlan,
): Promise<RecoveredQuery> {
  const { sessionId, ...anew } = options;
  let index = 0;
  let retries = 0;
  let isRenewed = false;
  let session = sessionId;
  for (;;) {
    const engine = plan.engines[index] as Engine;
    const error =
      session === undefined
        ? await ask(engine, carriedPrompt(prompt, plan.carry), anew)
        : await ask(engine, prompt, options);
    if (!(error instanceof AgentError)) return { kind: "answered", engine: engine.name, result: error };
    const recovery = decideRecovery(failureOf(error), {
      retries,
      maxRetries: plan.maxRetries,
      isRenewed,
      hasFallback: index + 1 < plan.engines.length,
      isOptional: plan.isOptional,
      patienceMs: options.timeoutMs,
      random: plan.random(),
    });
    plan.onRecovery?.(engine.name, error, recovery);
    switch (recovery.kind) {
      case "stop":
        throw error;
      case "skip":
        return { kind: "skipped", error };
      case "renew":
        isRenewed = true;
        session = undefined;
        break;
      case "fallback":
        index += 1;
        retries = 0;
        isRenewed = false;
        session = undefined;
        break;
      case "retry":
        retries += 1;
        await plan.sleep(recovery.delayMs, options.signal);
        if (options.signal.aborted) throw stopped(engine.name, error);
    }
  }
}

async function ask(engine: Engine, prompt: string, options: QueryOptions): Promise<QueryResult | AgentError> {
  try {
    return await engine.query(prompt, options);
  } catch (error) {
    if (error instanceof AgentError) return error;
    throw error;
  }
}

function failureOf(error: AgentError): Failure {
  return {
    recoverable: error.recoverable,
    isTransient: error instanceof ConnectionError ? error.isTransient : true,
    isSessionLost: error instanceof SessionExpired,
    retryAfterMs: error instanceof RateLimitError ? error.retryAfterMs : undefined,
  };
}

function stopped(engine: string, { message }: AgentError): ExecutionError {
  const text = `engine '${engine}' was not asked again: the run was stopped while it waited (${message})`;
  return new ExecutionError(text);
}

/** The facts about an error that the decision depends on. */
export interface Failure {
  readonly recoverable: boolean;
  /** Whether asking the same engine again may help. */
  readonly isTransient: boolean;
  /** Whether the engine no longer has the session. */
  readonly isSessionLost: boolean;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;
}

export interface RecoverySituation {
  /** How many times this engine has been asked again. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Whether a lost session was already replaced by a new one. */
  readonly isRenewed: boolean;
  readonly hasFallback: boolean;
  readonly isOptional: boolean;
  /** The longest wait that a service may ask for. */
  readonly patienceMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

export type Recovery =
  | { readonly kind: "retry"; readonly delayMs: number }
  /** In a new session, immediately. */
  | { readonly kind: "renew" }
  | { readonly kind: "fallback" }
  | { readonly kind: "skip" }
  | { readonly kind: "stop" };

const FIRST_DELAY_MS = 1000;

const MAX_DELAY_MS = 60_000;

/** A random addition to a delay that the service states, so that clients don't all return at once. */
const STATED_SPREAD = 0.1;

/** Retry, then fall back, then skip an optional step. An error that is not recoverable stops the run at once. */
export function decideRecovery(failure: Failure, situation: RecoverySituation): Recovery {
  const { retries, maxRetries, isRenewed, hasFallback, isOptional, patienceMs } = situation;
  if (!failure.recoverable) return { kind: "stop" };
  if (failure.isSessionLost && !isRenewed) return { kind: "renew" };
  const delayMs = delayOf(failure, situation);
  const isTooLong = failure.retryAfterMs !== undefined && delayMs > patienceMs;
  if (failure.isTransient && retries < maxRetries && !isTooLong) return { kind: "retry", delayMs };
  if (hasFallback) return { kind: "fallback" };
  return isOptional ? { kind: "skip" } : { kind: "stop" };
}

/** Never sooner than the service asks; otherwise the wait doubles each time, half of it at random. */
function delayOf({ retryAfterMs }: Failure, { retries, random }: RecoverySituation): number {
  if (retryAfterMs !== undefined) return Math.round(retryAfterMs * (1 + STATED_SPREAD * random));
  const whole = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries);
  return Math.round(whole / 2 + (whole / 2) * random);
}

/** What a run carries from one iteration to the next. */
export interface ContextCarry {
  readonly previousResponse?: string;
  readonly accumulatedContext?: Readonly<Record<string, unknown>>;
}

/** Created anew at the end of each iteration, and deeply frozen, so that a completion can't change it. */
export function carryOver(previousResponse: string | undefined, outputs: Outputs): ContextCarry {
  return freeze({
    ...(previousResponse !== undefined && { previousResponse }),
    accumulatedContext: structuredClone(outputs),
  });
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** A prompt for a model that has not seen the earlier work. */
function carriedPrompt(prompt: string, { previousResponse, accumulatedContext = {} }: ContextCarry): string {
  const answer = (previousResponse ?? "").trim();
  const gathered = Object.keys(accumulatedContext).length === 0 ? "" : renderResults(accumulatedContext);
  if (answer === "" && gathered === "") return prompt;
  return [
    "This continues earlier work that you can't see.",
    ...(gathered === "" ? [] : [`Results so far, as JSON:\n${gathered}`]),
    ...(answer === "" ? [] : [`The last answer:\n${answer}`]),
    `Your task now:\n${prompt}`,
  ].join("\n\n");
}

/** A step's inputs are whole in its prompt; this is added to every query of an engine without sessions. */
const MAX_RESULT_UNITS = 32 * 1024;
const MAX_STRING_UNITS = 500;

function renderResults(results: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(results, undefined, 2);
  if (whole.length <= MAX_RESULT_UNITS) return whole;
  const shortened = JSON.stringify(results, (_, value: unknown) => shorten(value), 2);
  return shortened.length <= MAX_RESULT_UNITS ? shortened : `${shortened.slice(0, MAX_RESULT_UNITS)}\n[cut here]`;
}

function shorten(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= MAX_STRING_UNITS) return value;
  return `${value.slice(0, MAX_STRING_UNITS)} [${value.length - MAX_STRING_UNITS} more characters]`;
}
