import { CodeliaError, type ErrorCode } from "../errors.ts";
import type { Failure } from "./run-schema.ts";

type Details = Readonly<Record<string, unknown>>;

/** The errors of an agent, by layer: cases of the program's one error class. */
export abstract class AgentError extends CodeliaError {
  /** Whether another try, another engine, or skipping an optional step may help. */
  abstract readonly recoverable: boolean;
  /** The name in a result. */
  abstract readonly className: Failure["class"];
}

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a result says of an error besides its sentence. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AgentError)) return UNFORESEEN;
  const { kind, reason } = error.details;
  const code = typeof kind === "string" ? kind : capitalized(typeof reason === "string" ? reason : error.code);
  return { class: error.className, code, recoverable: error.recoverable };
}

const UNFORESEEN: Failure = { class: "ExecutionError", code: "Unforeseen", recoverable: false };

/** `timed_out` as `TimedOut`. */
function capitalized(code: string): string {
  return code
    .split("_")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");
}

/** The definition, or something it needs, can't be used: always fatal. */
export class ConfigurationError extends AgentError {
  readonly recoverable = false;
  readonly className = "ConfigurationError";

  constructor(message: string, details: Details = {}, code: ErrorCode = "agent_unusable") {
    super(code, message, details);
  }
}

/** A run can't begin or go on. */
export class ExecutionError extends AgentError {
  readonly recoverable: boolean;
  readonly className = "ExecutionError";

  constructor(message: string, details: Details = {}, isRecoverable = false) {
    super("agent_failed", message, details);
    this.recoverable = isRecoverable;
  }
}

/** A completion or a step check reached no verdict. */
export class JudgmentError extends AgentError {
  readonly recoverable = true;
  readonly className = "JudgmentError";

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
  /** The service or the engine refuses, and will again: a wrong key, an unknown model, a wrong flag. */
  | "refused"
  | "answer_too_long"
  | "answer_unreadable"
  /** The reason is unknown. */
  | "failed";

/** Asking the same engine again does not help; another engine may. */
const LASTING: ReadonlySet<ConnectionReason> = new Set(["not_installed", "refused", "answer_too_long"]);

/** An engine gave no answer: another try or another engine may help. */
export class ConnectionError extends AgentError {
  readonly recoverable = true;
  readonly className: "ConnectionError" | "RateLimitError" | "SessionExpired" = "ConnectionError";
  readonly reason: ConnectionReason;

  constructor(reason: ConnectionReason, message: string, details: Details = {}) {
    super(CODE_OF_REASON[reason] ?? "connection_failed", message, { reason, ...details });
    this.reason = reason;
  }

  /** Whether asking the same engine again may help. */
  get isTransient(): boolean {
    return !LASTING.has(this.reason);
  }
}

const CODE_OF_REASON: { readonly [Reason in ConnectionReason]?: ErrorCode } = {
  rate_limited: "rate_limited",
  session_expired: "session_expired",
};

export class RateLimitError extends ConnectionError {
  override readonly className = "RateLimitError";
  /** How long to wait, if the service says so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number, details: Details = {}) {
    super("rate_limited", message, { ...(retryAfterMs !== undefined && { retryAfterMs }), ...details });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The engine no longer has the session; a new one can take over what the run carries. */
export class SessionExpired extends ConnectionError {
  override readonly className = "SessionExpired";
  constructor(message: string, details: Details = {}) {
    super("session_expired", message, details);
  }
}
