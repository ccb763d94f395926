import { isTable } from "../../lib/table.ts";
import type { OutputField } from "../schema.ts";
import { fencedBlocks } from "./fenced-blocks.ts";
import { fieldsOf, type OutputSchema } from "./output-schema.ts";

export interface ExtractError {
  readonly code: "ExtractionFailed";
  readonly message: string;
}

export type ExtractResult =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly errors: readonly ExtractError[] };

/**
 * The data of an answer: the last fenced JSON object that can be read, else the whole text as one, else lines
 * `field: value`. Never throws.
 */
export function extractOutput(response: string, schema: OutputSchema): ExtractResult {
  for (const block of fencedBlocks(response).toReversed()) {
    const data = readObject(block);
    if (data !== undefined) return { ok: true, data };
  }
  const whole = readObject(response);
  if (whole !== undefined) return { ok: true, data: whole };
  const data = readLines(response, schema);
  if (data !== undefined) return { ok: true, data };
  const message = `no JSON object and no 'field: value' lines in the answer to step '${schema.$namespace}'`;
  return { ok: false, errors: [{ code: "ExtractionFailed", message }] };
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const data = parseJson(text);
    return isTable(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** The last line of each field counts. Only a text can be read off a line as it stands; the rest must be JSON. */
function readLines(text: string, schema: OutputSchema): Record<string, unknown> | undefined {
  const fields = new Map(fieldsOf(schema));
  const found: [string, unknown][] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] =
      /^[ \t]*(?:[-*][ \t]+)?([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:[ \t]*(\S.*)$/.exec(line) ?? [];
    const field = fields.get(name);
    if (field !== undefined) found.push([name, readValue(value.trim(), field)]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function readValue(text: string, { type }: OutputField): unknown {
  if (type === "string" && !/^"[^]*"$/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** A number that is too large for one, `1e999`, would be read as infinite, and written to the run's file as `null`. */
function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("a number is too large");
    return value;
  });
}
