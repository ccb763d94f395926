import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shortHash } from "../src/core/hash.ts";
import { CONFIG_SCHEMA_MARK } from "../src/io/config-layer.ts";
import { printJsonSchema, schemaNames } from "../src/io/json-schema.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

const directory = join(REPOSITORY, "docs", "schema");

test("the committed JSON Schemas are those of the program (npm run schema writes them)", () => {
  expect(readdirSync(directory).toSorted()).toEqual(
    schemaNames()
      .map((name) => `${name}.json`)
      .toSorted(),
  );
  for (const name of schemaNames()) {
    expect(readFileSync(join(directory, `${name}.json`), "utf8")).toBe(printJsonSchema(name) ?? "");
  }
});

test("CONFIG_SCHEMA_MARK changes with the config's schema, so that no remembered config outlives it", () => {
  expect(CONFIG_SCHEMA_MARK).toBe(shortHash(printJsonSchema("config") ?? ""));
});
