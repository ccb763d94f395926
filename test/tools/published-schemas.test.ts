import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { publishSchemas } from "../../.tools/lib/release.mjs";
import { REPOSITORY } from "../support/run-codelia.ts";
import { tempTree } from "../support/temp-tree.ts";

const COMMITTED = join(REPOSITORY, "docs/schema");

test("a release publishes every schema, as it is committed, with the address where it stands as its id", () => {
  using place = tempTree();
  publishSchemas(place.root, "https://example.com/codelia/0.1.0");
  const published = readdirSync(place.root).map((name) => [name, read(place.path(name))] as const);
  expect(published.map(([name]) => name).toSorted()).toEqual(
    readdirSync(COMMITTED)
      .map((name) => `codelia-${name.replace(/\.json$/, ".schema.json")}`)
      .toSorted(),
  );
  for (const [name, { $id, ...schema }] of published) {
    expect($id).toBe(`https://example.com/codelia/0.1.0/${name}`);
    const committed = name.replace(/^codelia-/, "").replace(/\.schema\.json$/, ".json");
    expect(schema).toEqual(read(join(COMMITTED, committed)));
  }
});

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
}
