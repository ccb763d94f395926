import { expect, test } from "bun:test";
import { outputSchema, toJsonSchema } from "../../../src/agent/judge/output.ts";
import { validateOutput } from "../../../src/agent/judge/output.ts";
import type { OutputFields } from "../../../src/agent/schema.ts";

const FIELDS: OutputFields = {
  height: { type: "number" },
  unit: { type: "string", required: false, default: "m" },
  note: { type: "string", required: false },
};
const SCHEMA = outputSchema("measure", FIELDS);

test("validateOutput() fills the default of what is left out, and leaves unknown fields out", () => {
  expect(validateOutput({ height: 3, more: 1 }, SCHEMA)).toEqual({ valid: true, data: { height: 3, unit: "m" } });
  expect(validateOutput({ height: 3, unit: "ft", note: "" }, SCHEMA)).toEqual({
    valid: true,
    data: { height: 3, unit: "ft", note: "" },
  });
});

test("validateOutput() names what is missing and what is of another type, all at once", () => {
  expect(validateOutput({ unit: 1, note: null }, SCHEMA)).toEqual({
    valid: false,
    errors: [
      { field: "height", message: "'height' is missing" },
      { field: "unit", message: "'unit' must be of type string, not number" },
      { field: "note", message: "'note' must be of type string, not null" },
    ],
  });
});

test("validateOutput() in strict mode refuses an unknown field", () => {
  expect(validateOutput({ height: 3, more: 1 }, SCHEMA, { strict: true })).toEqual({
    valid: false,
    errors: [{ field: "more", message: "'more' is not one of the fields" }],
  });
  expect(validateOutput({ height: 3 }, SCHEMA, { strict: true }).valid).toBe(true);
});

const VALUES: Record<string, unknown> = { string: "1", number: 1, boolean: true, object: {}, array: [], null: null };
for (const type of ["string", "number", "boolean", "object", "array"] as const) {
  test(`validateOutput() takes for ${type} nothing else, and converts nothing`, () => {
    const schema = outputSchema("a", { field: { type } });
    const taken = Object.keys(VALUES).filter((name) => validateOutput({ field: VALUES[name] }, schema).valid);
    expect(taken).toEqual([type]);
  });
}

test("a field can't be inherited", () => {
  const schema = outputSchema("a", { constructor: { type: "object" } } as OutputFields);
  expect(validateOutput({}, schema).valid).toBe(false);
});

test("the loader's $namespace is the step, and no field", () => {
  expect(SCHEMA.$namespace).toBe("measure");
  expect(Object.keys(toJsonSchema(SCHEMA)["properties"] as object)).toEqual(["height", "unit", "note"]);
});

test("toJsonSchema() says the same, without the defaults", () => {
  expect(toJsonSchema(SCHEMA)).toEqual({
    type: "object",
    properties: { height: { type: "number" }, unit: { type: "string" }, note: { type: "string" } },
    required: ["height"],
    additionalProperties: false,
  });
});
