import { asArray, asObject, asString, type JsonEvent } from "./json-event.ts";

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
