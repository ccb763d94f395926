import { AgentError, ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../errors.ts";
import type { Engine, QueryOptions, QueryResult } from "./engine.ts";

export interface RecoveryPlan {
  /** Those to ask, each when the one before it won't answer. */
  readonly engines: readonly [Engine, ...Engine[]];
  /** Of each engine. */
  readonly maxRetries: number;
  /** Whether the step may be left out. */
  readonly isOptional: boolean;
  /** What a session that must be begun anew is told. */
  readonly carry: ContextCarry;
  /** Resolves sooner when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onRecovery?: (engine: string, error: AgentError, recovery: Recovery) => void;
}

export type RecoveredQuery =
  | { readonly kind: "answered"; readonly engine: string; readonly result: QueryResult }
  | { readonly kind: "skipped"; readonly error: AgentError };

/**
 * @input  options.sessionId: one of the first engine; timeoutMs: of each try, and the longest wait that a service may ask for
 * @output the answer and who gave it, or why an optional step is left out
 * @effect queries and waits; a lost session, and another engine, begin a session that is told what the run carries
 * @error  AgentError: the last one, where nothing has helped
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
    // Without a session to begin with, there was nothing that one could know.
    const isCarried = sessionId !== undefined && session === undefined;
    const error = await ask(
      engine,
      isCarried ? carriedPrompt(prompt, plan.carry) : prompt,
      session === undefined ? anew : options,
    );
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
  return new ExecutionError(text, { recoverable: false });
}

/** What of an error decides: those of src/agent/errors.ts have it. */
export interface Failure {
  readonly recoverable: boolean;
  /** Whether the same engine may answer when it is asked again. */
  readonly isTransient: boolean;
  /** Whether it was the session that the engine had no more. */
  readonly isSessionLost: boolean;
  /** How long the service wants to be left alone. */
  readonly retryAfterMs: number | undefined;
}

export interface RecoverySituation {
  /** How often this engine was asked again already. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Whether a new session was begun already in place of one that was lost. */
  readonly isRenewed: boolean;
  readonly hasFallback: boolean;
  /** Whether the step may be left out. */
  readonly isOptional: boolean;
  /** The longest that a service may ask for before another try. */
  readonly patienceMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

export type Recovery =
  | { readonly kind: "retry"; readonly delayMs: number }
  /** In a new session, at once. */
  | { readonly kind: "renew" }
  | { readonly kind: "fallback" }
  | { readonly kind: "skip" }
  | { readonly kind: "stop" };

const FIRST_DELAY_MS = 1000;

const MAX_DELAY_MS = 60_000;

/** What is added to a delay that the service states: many that were told the same shall not come back at once. */
const STATED_SPREAD = 0.1;

/** Spec 4: retry, then fallback, then leave out what is optional; what can't be recovered from stops at once. */
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

/** Never sooner than it was asked for; otherwise twice as long each time, by half of it at random. */
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

/** A prompt for a session that knows nothing, with what the one before it knew. */
export function carriedPrompt(prompt: string, { previousResponse, accumulatedContext = {} }: ContextCarry): string {
  const said = (previousResponse ?? "").trim();
  const gathered = Object.keys(accumulatedContext).length === 0 ? "" : JSON.stringify(accumulatedContext, undefined, 2);
  if (said === "" && gathered === "") return prompt;
  return [
    "This continues earlier work whose session has ended. What it had come to:",
    ...(gathered === "" ? [] : [`Results so far, as JSON:\n${gathered}`]),
    ...(said === "" ? [] : [`Its last answer:\n${said}`]),
    `What is to be done now:\n${prompt}`,
  ].join("\n\n");
}
