import { isTable } from "../../lib/table.ts";

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
