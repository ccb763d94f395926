import { isSchemaName, jsonSchema, SCHEMA_NAMES } from "./json-schema.ts";

/** The names of the JSON Schemas that the program can print. */
export function schemaNames(): readonly string[] {
  return SCHEMA_NAMES;
}

/**
 * @output the JSON Schema as text, undefined for an unknown name
 * @effect none
 * @error  none
 */
export function printJsonSchema(name: string): string | undefined {
  return isSchemaName(name) ? `${JSON.stringify(jsonSchema(name), undefined, 2)}\n` : undefined;
}
