import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judge, type SourceFile } from "./support/architecture-judge.ts";
import { PURE_FILES, PURE_FOLDERS } from "./support/architecture-law.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

function sourceFiles(): SourceFile[] {
  return readdirSync(join(REPOSITORY, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), "utf8") }));
}

test("src keeps to the law of its rooms", () => {
  const files = sourceFiles();
  expect(files.map(({ path }) => path)).toContain("src/main.ts");
  const pure = [...PURE_FILES, ...files.map(({ path }) => path).filter((path) => PURE_FOLDERS.test(path))];
  const violations = judge(files, pure).map(({ rule, path, line, message }) => `${path}:${line}: ${rule}: ${message}`);
  expect(violations.join("\n")).toBe("");
});
