import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { printJsonSchema, schemaNames } from "../src/commands/schema.ts";
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
