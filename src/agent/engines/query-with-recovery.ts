import { AgentError, ConnectionError, ExecutionError, RateLimitError, SessionExpired } from "../errors.ts";
import { carriedPrompt, type ContextCarry } from "./carried-prompt.ts";
import { decideRecovery, type Failure, type Recovery } from "./decide-recovery.ts";
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
