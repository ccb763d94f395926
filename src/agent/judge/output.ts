import { isTable } from "../../lib/table.ts";
import type { OutputField, OutputFields } from "../schema.ts";

interface ExtractError {
  readonly code: "ExtractionFailed";
  readonly message: string;
}

export type ExtractResult =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly errors: readonly ExtractError[] };

/**
 * The data of an answer: the last fenced JSON object that parses, else the whole text as JSON, else `field: value`
 * lines.
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

/** The last line for each field counts. A string may be unquoted; every other value must be JSON. */
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

/** Rejects a number like `1e999`, which would be read as Infinity and recorded as `null`. */
function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("a number is too large");
    return value;
  });
}

interface Fence {
  /** The backticks or tildes. */
  readonly mark: string;
  readonly info: string;
  /** The text up to the next fence. */
  readonly body: string;
}

interface Block {
  readonly body: string;
  /** The fence around it. */
  readonly within: Fence | undefined;
}

/**
 * The bodies of fenced blocks marked `json` or unmarked; the last one is tried first. A fence may be indented, longer
 * than three characters, made of tildes, and left open at the end of the text.
 *
 * No line of a JSON object looks like a fence, so each body ends at the next one. Which fences begin a block is read in
 * two ways: as CommonMark does, where nothing nests, and as authors mean it who quote a fence inside another of equal
 * length. A quoted block is an example, so it is tried last.
 */
function fencedBlocks(text: string): string[] {
  const blocks: Block[] = [];
  const nested: Fence[] = [];
  let plain: Fence | undefined;
  for (const fence of fencesIn(text)) {
    const beginsPlainly = plain === undefined;
    if (plain === undefined) plain = fence;
    else if (closes(fence, plain)) plain = undefined;
    const around = nested.at(-1);
    const begins = around === undefined || (fence.info !== "" && isAsStrong(fence, around));
    if (begins) nested.push(fence);
    else if (closes(fence, around)) nested.pop();
    if ((beginsPlainly || begins) && /^(json[c5]?)?$/i.test(fence.info)) {
      blocks.push({ body: fence.body, within: beginsPlainly ? undefined : around });
    }
  }
  // A fence that is never closed quotes nothing.
  const endless = new Set(nested);
  const isQuoted = ({ within }: Block) => within !== undefined && !endless.has(within);
  return [...blocks.filter(isQuoted), ...blocks.filter((block) => !isQuoted(block))].map(({ body }) => body);
}

function fencesIn(text: string): Fence[] {
  const lines = text.split(/\r?\n/);
  const heads = lines.flatMap((line, index) => {
    const head = readFence(line);
    return head === undefined ? [] : [{ ...head, index }];
  });
  return heads.map(({ mark, info, index }, at) => ({
    mark,
    info,
    body: lines.slice(index + 1, heads[at + 1]?.index).join("\n"),
  }));
}

function readFence(line: string): { mark: string; info: string } | undefined {
  const [, mark, info = ""] = /^[ \t]*(`{3,}|~{3,})([^]*)$/.exec(line) ?? [];
  const isFence = mark !== undefined && !(mark.startsWith("`") && info.includes("`"));
  return isFence ? { mark, info: info.trim() } : undefined;
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.info === "" && isAsStrong(fence, open);
}

function isAsStrong({ mark }: Fence, other: Fence): boolean {
  return mark[0] === other.mark[0] && mark.length >= other.mark.length;
}

/** The fields that a step's answer must have, with the step's name. */
export interface OutputSchema {
  readonly $namespace: string;
  readonly [field: string]: OutputField | string;
}

export function outputSchema(step: string, fields: OutputFields): OutputSchema {
  return { ...fields, $namespace: step };
}

export function fieldsOf(schema: OutputSchema): [name: string, field: OutputField][] {
  return Object.entries(schema).filter((entry): entry is [string, OutputField] => typeof entry[1] !== "string");
}

export function isRequired(field: OutputField): boolean {
  return field.required ?? true;
}

/** Without conversion: "1" is not a number. */
export function isOfType(value: unknown, type: OutputField["type"]): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isTable(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

/** As a JSON Schema, for engines that take one. */
export function toJsonSchema(schema: OutputSchema): Record<string, unknown> {
  const fields = fieldsOf(schema);
  const properties = fields.map(([name, { type, description }]): [string, unknown] => [
    name,
    { type, ...(description !== undefined && { description }) },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.filter(([, field]) => isRequired(field)).map(([name]) => name),
    additionalProperties: false,
  };
}

const MAX_NAME_UNITS = 64;

interface ValidationError {
  readonly field: string;
  readonly message: string;
}

type OutputValidation =
  /** `data` has only the schema's fields, with defaults for absent ones. */
  | { readonly valid: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/** @param options strict: a field that is not in the schema is an error; otherwise it is dropped */
export function validateOutput(
  data: Readonly<Record<string, unknown>>,
  schema: OutputSchema,
  options: { readonly strict?: boolean } = {},
): OutputValidation {
  const errors: ValidationError[] = [];
  const kept: [string, unknown][] = [];
  const fields = fieldsOf(schema);
  for (const [name, field] of fields) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) {
      if (isRequired(field)) errors.push({ field: name, message: `'${name}' is missing` });
      else if (field.default !== undefined) kept.push([name, field.default]);
    } else if (isOfType(value, field.type)) kept.push([name, value]);
    else errors.push({ field: name, message: `'${name}' must be of type ${field.type}, not ${typeName(value)}` });
  }
  if (options.strict === true) {
    const known = new Set(fields.map(([name]) => name));
    for (const name of Object.keys(data)) {
      if (!known.has(name))
        errors.push({ field: shortened(name), message: `'${shortened(name)}' is not one of the fields` });
    }
  }
  return errors.length === 0 ? { valid: true, data: Object.fromEntries(kept) } : { valid: false, errors };
}

/** The name comes from the answer and may be of any length. */
function shortened(name: string): string {
  return name.length > MAX_NAME_UNITS ? `${name.slice(0, MAX_NAME_UNITS)}…` : name;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
