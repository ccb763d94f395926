import { CodeliaError, type ErrorCode } from "../errors.ts";

type Details = Readonly<Record<string, unknown>>;

/** What can go wrong with an agent, by the layer it goes wrong in: cases of the program's one error class. */
export abstract class AgentError extends CodeliaError {
  /** Whether another try, another engine or leaving an optional step out may help. */
  abstract readonly recoverable: boolean;
}

/** The definition, or what it needs, can't be used: always fatal. */
export class ConfigurationError extends AgentError {
  readonly recoverable = false;

  constructor(message: string, details: Details = {}) {
    super("agent_unusable", message, details);
  }
}

/** A run can't go on, or can't begin. */
export class ExecutionError extends AgentError {
  readonly recoverable: boolean;

  constructor(message: string, options: { readonly recoverable: boolean; readonly details?: Details }) {
    super("agent_failed", message, options.details);
    this.recoverable = options.recoverable;
  }
}

/** A completion or a step check has come to no verdict. */
export class JudgmentError extends AgentError {
  readonly recoverable = true;

  constructor(message: string, details: Details = {}) {
    super("judgment_failed", message, details);
  }
}

export type ConnectionReason =
  | "unreachable"
  | "overloaded"
  | "rate_limited"
  | "session_expired"
  | "timed_out"
  | "not_installed"
  /** The service or the engine says no, and will say it again: a wrong key, an unknown model, a wrong flag. */
  | "refused"
  | "answer_too_long"
  | "answer_unreadable"
  /** It ended badly, and did not say why in a way we know. */
  | "failed";

/** Those of which the same engine gives no other answer when it is asked again: only another engine may help. */
const LASTING: ReadonlySet<ConnectionReason> = new Set(["not_installed", "refused", "answer_too_long"]);

/** An engine gave no answer: recoverable, by another try or by another engine. */
export class ConnectionError extends AgentError {
  readonly recoverable = true;
  readonly reason: ConnectionReason;

  constructor(reason: ConnectionReason, message: string, details: Details = {}) {
    super(CODE_OF_REASON[reason] ?? "connection_failed", message, { reason, ...details });
    this.reason = reason;
  }

  /** Whether the same engine may answer when it is asked again. */
  get isTransient(): boolean {
    return !LASTING.has(this.reason);
  }
}

const CODE_OF_REASON: { readonly [Reason in ConnectionReason]?: ErrorCode } = {
  rate_limited: "rate_limited",
  session_expired: "session_expired",
};

export class RateLimitError extends ConnectionError {
  /** How long the service wants to be left alone, where it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number, details: Details = {}) {
    super("rate_limited", message, { ...(retryAfterMs !== undefined && { retryAfterMs }), ...details });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The engine doesn't know the session any more: a new one can take over what the run carries along. */
export class SessionExpired extends ConnectionError {
  constructor(message: string, details: Details = {}) {
    super("session_expired", message, details);
  }
}
