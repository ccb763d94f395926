import type { $ZodErrorMap, $ZodIssue } from "zod/v4/core";
import { anyOf, didYouMean, nearest } from "./words.ts";

export interface SchemaProblem {
  /** Where the value is. */
  readonly path: readonly PropertyKey[];
  /** A sentence that names the key. */
  readonly message: string;
  /** For a key that the schema doesn't know: the one that was most likely meant. */
  readonly unknown?: { readonly nearest: string | undefined };
}

type CheckedData<Data> =
  | { readonly kind: "valid"; readonly data: Data }
  | { readonly kind: "invalid"; readonly problems: readonly SchemaProblem[] };

/** The part of a zod schema that is needed here. */
interface Schema<Data> {
  safeParse(
    data: unknown,
    options: { readonly error: $ZodErrorMap },
  ):
    | { readonly success: true; readonly data: Data }
    | { readonly success: false; readonly error: { readonly issues: readonly $ZodIssue[] } };
}

/** Validates data, and describes errors as a person would: `'limit' must be a number, got "lots"`. */
export function checkData<Data>(schema: Schema<Data>, data: unknown): CheckedData<Data> {
  const parsed = schema.safeParse(data, { error: explainIssue });
  if (parsed.success) return { kind: "valid", data: parsed.data };
  return { kind: "invalid", problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, schema)) };
}

function problemsOf(issue: $ZodIssue, schema: unknown): SchemaProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(schema, path);
    return issue.keys.map((key) => {
      const full = [...path, key];
      return {
        path: full,
        message: unknownKey(full.join("."), key, known),
        unknown: { nearest: nearest(key, known) },
      };
    });
  }
  return [{ path, message: `${path.length === 0 ? "it" : `'${path.join(".")}'`} ${issue.message}` }];
}

/** @param name the key as the sentence names it, perhaps with its path */
export function unknownKey(name: string, key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known) || (known.length === 0 ? "" : `; known here: ${known.join(", ")}`);
  return `unknown key '${name}'${hint}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a table",
  record: "a table",
};

/** The error as the end of a sentence about the value. A message of the schema's own takes precedence. */
const explainIssue: $ZodErrorMap = (issue) => {
  const { code, input } = issue;
  if (input === undefined) return "is missing";
  switch (code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? issue.expected}, got ${shown(input)}`;
    case "invalid_value":
      return `must be ${anyOf(issue.values.map(shown))}, got ${shown(input)}`;
    case "too_small":
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive === true, input);
    case "too_big":
      return `must ${atMost(issue.origin, Number(issue.maximum))}`;
    default:
      return "has a value that is not allowed";
  }
};

function tooSmall(origin: string, minimum: number, isInclusive: boolean, input: unknown): string {
  if (origin === "string" || origin === "array") {
    return minimum === 1 ? "must not be empty" : `must have at least ${minimum} ${UNITS[origin]}`;
  }
  return `must be ${isInclusive ? "at least" : "more than"} ${minimum}, got ${shown(input)}`;
}

const UNITS = { string: "characters", array: "items" };

function atMost(origin: string, maximum: number): string {
  return origin === "string" || origin === "array"
    ? `have at most ${maximum} ${UNITS[origin]}`
    : `be at most ${maximum}`;
}

const MAX_SHOWN = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a table";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The parts of a zod schema that contain other schemas. */
interface Parts {
  readonly shape?: Readonly<Record<string, unknown>>;
  /** The items of a list. */
  readonly element?: unknown;
  /** The values of a table with free keys. */
  readonly valueType?: unknown;
  /** The members of a union. */
  readonly options?: readonly unknown[];
  readonly unwrap?: () => unknown;
}

/**
 * The keys that a schema knows at a path, for suggestions. All items of a list have the same keys, as do all values of
 * a table with free keys; a union has those of each member.
 */
export function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  const forms = schemasAt(schema, path).flatMap(formsOf);
  return [...new Set(forms.flatMap(({ shape }) => Object.keys(shape ?? {})))];
}

/** The schemas of the value at a path; several below a union. */
export function schemasAt(schema: unknown, path: readonly PropertyKey[]): unknown[] {
  let schemas = [schema];
  for (const key of path) {
    schemas = schemas.flatMap(formsOf).flatMap((form) => below(form, key) ?? []);
  }
  return schemas;
}

function below({ shape, element, valueType }: Parts, key: PropertyKey): unknown {
  if (shape !== undefined) return Object.hasOwn(shape, key) ? shape[String(key)] : undefined;
  return typeof key === "number" ? element : valueType;
}

function formsOf(schema: unknown): Parts[] {
  const parts = schema as Parts | undefined;
  if (parts === undefined) return [];
  if (parts.options !== undefined) return parts.options.flatMap(formsOf);
  const isWhole = parts.shape !== undefined || parts.element !== undefined || parts.valueType !== undefined;
  return isWhole || parts.unwrap === undefined ? [parts] : formsOf(parts.unwrap());
}
