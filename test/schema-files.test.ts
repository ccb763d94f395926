import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaText, SCHEMA_NAMES } from "../src/commands/schema.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

const directory = join(REPOSITORY, "docs", "schema");

test("the committed JSON Schemas are those of the program (npm run schema writes them)", () => {
  expect(readdirSync(directory).toSorted()).toEqual(SCHEMA_NAMES.map((name) => `${name}.json`).toSorted());
  for (const name of SCHEMA_NAMES) {
    expect(readFileSync(join(directory, `${name}.json`), "utf8")).toBe(schemaText(name) ?? "");
  }
});
