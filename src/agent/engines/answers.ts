import { isTable } from "../../lib/table.ts";
import { ConnectionError, RateLimitError } from "../errors.ts";

/** One event of an engine's stream of JSON lines; nothing in it is taken on trust. */
export interface JsonEvent {
  readonly [key: string]: unknown;
}

/** Undefined for a line that is none: engines write other lines between. */
export function parseEvent(line: string): JsonEvent | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): JsonEvent | undefined {
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

/** What can be passed as a session's id: it comes from a file, and must be neither a flag nor a name to search for. */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/**
 * How long a service's sentence says to wait: "try again in 7s", "try again at 5:12 PM" (of the local time, today or
 * the next time it is that late), "try again at Nov 20th, 2026 5:12 PM". A named minute is waited to its end.
 */
export function statedDelay(sentence: string, nowMs: number): number | undefined {
  const [, amount, unit = ""] = /try again in (\d+(?:\.\d+)?) ?([a-z]+)/i.exec(sentence) ?? [];
  const unitMs = Object.hasOwn(UNIT_MS, unit.toLowerCase()) ? UNIT_MS[unit.toLowerCase()] : undefined;
  if (unitMs !== undefined) return Math.ceil(Number(amount) * unitMs);
  const pattern = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M/;
  const moment = pattern.exec(sentence);
  if (moment === null) return undefined;
  const [, month, day, year, hour, minute, half] = moment;
  const then = new Date(nowMs);
  if (month !== undefined) then.setFullYear(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  then.setHours((Number(hour) % 12) + (half === "P" ? 12 : 0), Number(minute) + 1, 0, 0);
  if (month === undefined && then.getTime() < nowMs) then.setDate(then.getDate() + 1);
  return Math.max(0, then.getTime() - nowMs);
}

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * A JSON Schema as Codex's service takes it, which it names strict: each object names all its properties, requires each
 * of them and allows no other. Undefined for one that can't be said so: then the answer is read without its help.
 */
export function strictSchema(schema: JsonEvent): JsonEvent | undefined {
  const type = asString(schema["type"]) ?? "";
  if (SCALARS.has(type)) return schema;
  if (type === "array") {
    const items = strictSchema(asObject(schema["items"]) ?? {});
    return items && { ...schema, items };
  }
  const properties = asObject(schema["properties"]);
  if (type !== "object" || properties === undefined) return undefined;
  const required = asArray(schema["required"]);
  const strict: Record<string, JsonEvent> = {};
  for (const [name, value] of Object.entries(properties)) {
    const property = strictSchema(asObject(value) ?? {});
    if (property === undefined || !required.includes(name)) return undefined;
    strict[name] = property;
  }
  return { ...schema, properties: strict, additionalProperties: false };
}
