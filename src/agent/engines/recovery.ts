import { AgentError, ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../errors.ts";
import type { Outputs } from "../judge/variables.ts";
import type { Engine, QueryOptions, QueryResult } from "./engine.ts";

export interface RecoveryPlan {
  /** Each is asked when the one before it gives no answer. */
  readonly engines: readonly [Engine, ...Engine[]];
  /** For each engine. */
  readonly maxRetries: number;
  /** Whether the step may be left out. */
  readonly isOptional: boolean;
  /** What a new session is told in place of a lost one. */
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
 * @input  options.sessionId: of the first engine; timeoutMs: of each try, and the longest wait that a service may ask for
 * @output the answer and who gave it, or why an optional step is skipped
 * @effect queries and waits; after a lost session, and at another engine, a new session is told what the run carries
 * @error  AgentError: the last one, where nothing helped
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
    // Without a session to begin with, nothing was lost.
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

/** What of an error the decision depends on. */
export interface Failure {
  readonly recoverable: boolean;
  /** Whether asking the same engine again may help. */
  readonly isTransient: boolean;
  /** Whether the engine no longer has the session. */
  readonly isSessionLost: boolean;
  /** How long the service wants to be left alone. */
  readonly retryAfterMs: number | undefined;
}

export interface RecoverySituation {
  /** How often this engine was asked again so far. */
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
  /** In a new session, at once. */
  | { readonly kind: "renew" }
  | { readonly kind: "fallback" }
  | { readonly kind: "skip" }
  | { readonly kind: "stop" };

const FIRST_DELAY_MS = 1000;

const MAX_DELAY_MS = 60_000;

/** Added at random to a delay that the service states, so that not everybody comes back at once. */
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

/** Never sooner than the service asks for; otherwise twice as long each time, half of it at random. */
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

/** Made anew at the end of each iteration, and frozen all the way down: whoever judges by it can't change it. */
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

/** A prompt for a new session, with what the one before it knew. */
export function carriedPrompt(prompt: string, { previousResponse, accumulatedContext = {} }: ContextCarry): string {
  const answer = (previousResponse ?? "").trim();
  const gathered = Object.keys(accumulatedContext).length === 0 ? "" : JSON.stringify(accumulatedContext, undefined, 2);
  if (answer === "" && gathered === "") return prompt;
  return [
    "This continues earlier work whose session has ended.",
    ...(gathered === "" ? [] : [`Results so far, as JSON:\n${gathered}`]),
    ...(answer === "" ? [] : [`Its last answer:\n${answer}`]),
    `Your task now:\n${prompt}`,
  ].join("\n\n");
}
