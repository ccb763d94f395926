import { fieldsOf, isOfType, isRequired, type OutputSchema } from "./output-schema.ts";

const MAX_NAME_UNITS = 64;

export interface ValidationError {
  readonly field: string;
  readonly message: string;
}

export type OutputValidation =
  /** `data` has the defaults of what was left out; with nothing but the schema's fields in it. */
  | { readonly valid: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/**
 * Whether the data are what a step must give. No value is converted.
 *
 * @param options strict: a field that the schema doesn't know is an error, else it is left out
 */
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
      if (!known.has(name)) errors.push({ field: name, message: `'${shortly(name)}' is not among the fields` });
    }
  }
  return errors.length === 0 ? { valid: true, data: Object.fromEntries(kept) } : { valid: false, errors };
}

/** A name of the answer's own making: no field has a longer one. */
function shortly(name: string): string {
  return name.length > MAX_NAME_UNITS ? `${name.slice(0, MAX_NAME_UNITS)}…` : name;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
