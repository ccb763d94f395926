import { ConnectionError, RateLimitError } from "../errors.ts";

/** What an HTTP status of a model's service means for who asked. */
export function serviceError(engine: string, status: number, said: string, retryAfterMs?: number): ConnectionError {
  const details = { status };
  if (status === 429) return rateLimit(engine, said, retryAfterMs, details);
  if (status === 503 || status === 529) {
    return new ConnectionError("overloaded", `the service of engine '${engine}' is overloaded: ${said}`, details);
  }
  if (status === 408 || status === 409 || status >= 500) {
    return new ConnectionError("failed", `the service of engine '${engine}' has failed: ${said}`, details);
  }
  return refused(engine, said, details);
}

export function rateLimit(engine: string, said: string, retryAfterMs?: number, details: object = {}): RateLimitError {
  const message = `the service of engine '${engine}' wants to be asked less often: ${said}`;
  return new RateLimitError(message, retryAfterMs, { ...details });
}

export function unreachable(engine: string, said: string): ConnectionError {
  return new ConnectionError("unreachable", `the service of engine '${engine}' can't be reached: ${said}`);
}

export function refused(engine: string, said: string, details: object = {}): ConnectionError {
  return new ConnectionError("refused", `engine '${engine}' refuses: ${said}`, { ...details });
}
