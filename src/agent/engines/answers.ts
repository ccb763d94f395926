import { isTable, type Table } from "../../lib/table.ts";
import { ConnectionError, RateLimitError, SessionExpired } from "../errors.ts";

/** An object in the output of an engine or another program. Nothing in it is trusted. */
export type JsonObject = Table;

/** Undefined for a text that is not a JSON object: engines write other lines between their events. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  return isTable(value) ? value : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The error for an HTTP status of a model's service. */
export function serviceError(engine: string, status: number, reason: string, retryAfterMs?: number): ConnectionError {
  const details = { status };
  if (status === 429) return rateLimit(engine, reason, retryAfterMs, details);
  if (status === 503 || status === 529) {
    return new ConnectionError("overloaded", `the service of engine '${engine}' is overloaded: ${reason}`, details);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return new ConnectionError("failed", `the service of engine '${engine}' failed: ${reason}`, details);
  }
  return refused(engine, reason, details);
}

export function rateLimit(engine: string, reason: string, retryAfterMs?: number, details: object = {}): RateLimitError {
  const message = `the service of engine '${engine}' limits the rate of requests: ${reason}`;
  return new RateLimitError(message, retryAfterMs, { ...details });
}

export function unreachable(engine: string, reason: string): ConnectionError {
  return new ConnectionError("unreachable", `the service of engine '${engine}' can't be reached: ${reason}`);
}

export function refused(engine: string, reason: string, details: object = {}): ConnectionError {
  return new ConnectionError("refused", `engine '${engine}' refused: ${reason}`, { ...details });
}

/**
 * Checks a session's id, which comes from a file and is passed on a command line: it must be neither a flag nor a name
 * to search for.
 *
 * @error SessionExpired for anything else
 */
export function assertSessionId(engine: string, sessionId: string | undefined): void {
  if (sessionId === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sessionId)) return;
  throw new SessionExpired(`'${sessionId}' is not a session of engine '${engine}'`, { sessionId });
}
