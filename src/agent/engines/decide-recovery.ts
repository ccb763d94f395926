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
