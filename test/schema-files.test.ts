import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shortHash } from "../src/lib/hash.ts";
import { CONFIG_RULES_MARK } from "../src/config/config-memory.ts";
import { printJsonSchema, schemaNames } from "../src/commands/schema-json-schema.ts";
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

test("CONFIG_RULES_MARK changes with the config's schema, the rules for a project's and the parsers, so that no remembered config outlives them", () => {
  const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");
  const { dependencies } = JSON.parse(read("package.json"));
  const parsers = ["jsonc-parser", "smol-toml", "yaml"].map((name) => `${name} ${dependencies[name]}\n`).join("");
  const rules = read("src/config/project-layer.ts");
  expect(CONFIG_RULES_MARK).toBe(shortHash((printJsonSchema("config") ?? "") + rules + parsers));
});
