import { expect, test } from "bun:test";
import { shortHash } from "../../src/core/hash.ts";
import { CONFIG_SCHEMA_MARK } from "../../src/io/config-layer.ts";
import { printJsonSchema } from "../../src/io/json-schema.ts";

// What an earlier version has parsed and remembered is believed only while this is the same.
test("CONFIG_SCHEMA_MARK is the hash of the config's schema", () => {
  expect(CONFIG_SCHEMA_MARK).toBe(shortHash(printJsonSchema("config") ?? ""));
});
