import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judge, type SourceFile } from "./support/architecture-judge.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

function sourceFiles(): SourceFile[] {
  return readdirSync(join(REPOSITORY, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), "utf8") }));
}

test.skip("src keeps to the law of its rooms", () => {
  const files = sourceFiles();
  expect(files.map(({ path }) => path)).toContain("src/main.ts");
  const violations = judge(files).map(({ rule, path, line, message }) => `${path}:${line}: ${rule}: ${message}`);
  expect(violations.join("\n")).toBe("");
});

/** What `src/agent/configuration` may use of io: it reads, and changes nothing. */
const READERS = ["disk", "jsonc", "parse-limit", "read-file"];
const READING_CALLS = ["look", "realPath"];

test.skip("the configuration layer of agents reads only", () => {
  const files = sourceFiles().filter(({ path }) => path.startsWith("src/agent/configuration/"));
  expect(files.length).toBeGreaterThan(5);
  const used = (pattern: RegExp) =>
    new Set(files.flatMap(({ text }) => Array.from(text.matchAll(pattern), ([, name]) => name)));
  expect([...used(/"\.\.\/\.\.\/io\/([a-z/-]+)\.ts"/g)].toSorted()).toEqual(READERS);
  expect([...used(/\bdisk\.([A-Za-z]+)\(/g)].toSorted()).toEqual(READING_CALLS);
});
