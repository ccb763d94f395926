import { afterEach, expect, test } from "bun:test";
import { bundle } from "../../.tools/lib/build.mjs";
import { tempTree } from "../support/temp-tree.ts";

const before = process.env["NODE_ENV"] ?? "test";
afterEach(() => {
  process.env["NODE_ENV"] = before;
});

test("bundle() makes the same bytes whatever NODE_ENV is: bun would write it into the program", async () => {
  using tree = tempTree({ "main.ts": "console.log(process.env.NODE_ENV);\n" });
  for (const name of ["production", "test"]) {
    process.env["NODE_ENV"] = name;
    await bundle({ entry: tree.path("main.ts"), outfile: tree.path(`${name}.mjs`) });
  }
  expect(tree.read("production.mjs")).toBe(tree.read("test.mjs"));
  expect(tree.read("test.mjs")).not.toContain('"test"');
});
