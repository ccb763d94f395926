import { expect } from "bun:test";
import fc from "fast-check";
import { extractOutput } from "../../src/agent/judge/output.ts";
import { isOfType, outputSchema } from "../../src/agent/judge/output.ts";
import { validateOutput } from "../../src/agent/judge/output.ts";
import type { OutputFields } from "../../src/agent/schema.ts";
import { testProperty } from "./fuzz.ts";

const TYPES = ["string", "number", "boolean", "object", "array"] as const;
const fieldName = fc.constantFrom("height", "unit", "a_b", "x-1", "constructor", "toString");
const json = fc.jsonValue({ maxDepth: 2 });
const object = fc.dictionary(fieldName, json, { maxKeys: 4 });
const fields: fc.Arbitrary<OutputFields> = fc.dictionary(
  fieldName,
  fc.record({ type: fc.constantFrom(...TYPES), required: fc.boolean() }),
  { maxKeys: 4 },
);
const prose = fc.stringMatching(/^[A-Za-z ,.\n]{0,60}$/);

testProperty(
  "the object in the last fence that can be read is what is extracted, whatever stands around it",
  fc.property(
    prose,
    object,
    prose,
    object,
    fc.constantFrom("json", "", "JSON"),
    (before, first, between, last, info) => {
      const fence = (data: unknown) => `\n\`\`\`${info}\n${JSON.stringify(data, undefined, 2)}\n\`\`\`\n`;
      const text = `${before}${fence(first)}${between}${fence(last)}\n\`\`\`json\n{ broken\n\`\`\`\n${before}`;
      expect(extractOutput(text, outputSchema("a", {}))).toEqual({
        ok: true,
        data: JSON.parse(JSON.stringify(last)),
      });
    },
  ),
);

testProperty(
  "a whole text that is an object is extracted as it is",
  fc.property(object, fields, (data, schema) => {
    const extracted = extractOutput(JSON.stringify(data), outputSchema("a", schema));
    expect(extracted).toEqual({ ok: true, data: JSON.parse(JSON.stringify(data)) });
  }),
);

testProperty(
  "extraction never throws: it gives data, or an error that names the step",
  fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fields, (text, schema) => {
    const extracted = extractOutput(text, outputSchema("a", schema));
    if (extracted.ok) expect(extracted.data).toBeObject();
    else expect(extracted.errors.map(({ code }) => code)).toEqual(["ExtractionFailed"]);
  }),
);

testProperty(
  "data are valid exactly when each field that must be there is, and each that is there is of its type",
  fc.property(object, fields, fc.boolean(), (data, schema, strict) => {
    const isRight = Object.entries(schema).every(([name, { type, required }]) => {
      return Object.hasOwn(data, name) ? isOfType(data[name], type) : required === false;
    });
    const isKnown = Object.keys(data).every((name) => Object.hasOwn(schema, name));
    const result = validateOutput(data, outputSchema("a", schema), { strict });
    expect(result.valid).toBe(isRight && (!strict || isKnown));
    if (!result.valid) expect(result.errors).not.toEqual([]);
    else {
      for (const [name, value] of Object.entries(result.data)) expect(value).toBe(data[name]);
      expect(Object.keys(result.data).every((name) => Object.hasOwn(schema, name))).toBe(true);
      // What is valid stays so, and stays the same.
      expect(validateOutput(result.data, outputSchema("a", schema), { strict: true })).toEqual(result);
    }
  }),
);

testProperty(
  "no value is of two types, and none is converted",
  fc.property(json, (value) => {
    expect(TYPES.filter((type) => isOfType(value, type)).length).toBe(value === null ? 0 : 1);
  }),
);
