import { isTable } from "../../lib/table.ts";
import type { OutputField, OutputFields } from "../schema.ts";

/** What a step's answer must hold. The loader gives it its name: no field may be called `$namespace`. */
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

/** Whether a value is of a field's type. No value is converted: "1" is no number. */
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

/** The same as JSON Schema, for engines that can be held to one. */
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
