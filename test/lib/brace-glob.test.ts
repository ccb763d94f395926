import { expect, test } from "bun:test";
import { matchesPath } from "../../src/lib/brace-glob.ts";

test.each([
  ["**/AGENTS.md", "/r/a/AGENTS.md", true],
  ["**/AGENTS.md", "/AGENTS.md", true],
  ["**/AGENTS.md", "/r/AGENTS.md.bak", false],
  ["AGENTS.md", "/r/AGENTS.md", false],
  ["/r/AGENTS.md", "/r/AGENTS.md", true],
  ["/r/*/AGENTS.md", "/r/a/AGENTS.md", true],
  ["/r/*/AGENTS.md", "/r/a/b/AGENTS.md", false],
  ["/r/**", "/r/a/b", true],
  ["**/sub", "/r/sub/AGENTS.md", false],
  ["**/.claude/rules/**", "/r/.claude/rules/x/y.md", true],
  ["/r/{CLAUDE,AGENTS}{,.local}.md", "/r/AGENTS.local.md", true],
  ["/r/{CLAUDE,AGENTS}{,.local}.md", "/r/OTHER.md", false],
  ["/r/A?ENTS.md", "/r/AGENTS.md", true],
  ["/r/[A-C]*.md", "/r/AGENTS.md", true],
  ["/r/[!A-C]*.md", "/r/AGENTS.md", false],
  ["/r/[", "/r/[", true],
  [String.raw`/r\*.md`, "/r/x.md", true],
  [String.raw`/r/\*.md`, "/r/*.md", false],
  ["!**/AGENTS.md", "/r/AGENTS.md", false],
  ["!**/AGENTS.md", "/r/CLAUDE.md", true],
  ["!**/+(A|B).md", "/r/A.md", undefined],
  ["**/+(A|B).md", "/r/A.md", undefined],
  ["**/A{1..3}.md", "/r/A.md", undefined],
  ["**/{A}.md", "/r/A.md", false],
  ["**/{A.md", "/r/A.md", false],
  ["{a,b}".repeat(12), "/r", undefined],
  ["!!**/AGENTS.md", "/r/AGENTS.md", true],
  [`{${",".repeat(4000)}}`, "/r", undefined],
  [`/r/${"a".repeat(4096)}`, "/r", undefined],
  ["./r/A.md", "/r/A.md", false],
  ["", "/r", false],
])("matchesPath(%p, %p) is %p", (pattern, path, expected) => {
  expect(matchesPath(pattern, path)).toBe(expected as boolean);
});

test.each([
  ["stars in a name", `/${"*a".repeat(40)}b`, `/${"a".repeat(2000)}`],
  ["stars between names", `${"**/".repeat(40)}x`, "/a".repeat(500)],
  ["braces in a row", "{a,b}".repeat(40), "a".repeat(40)],
  ["commas behind a brace", `{${",".repeat(32_768)}`, "/r/CLAUDE.md"],
  ["dots behind a brace", `{${".".repeat(32_768)}`, "/r/CLAUDE.md"],
  ["signs of the opposite", "!".repeat(60_000), "/r/CLAUDE.md"],
  ["brackets that don't close", `*${"[".repeat(4000)}`, `/${"[".repeat(255)}`],
])("matchesPath() takes no longer for many %s", (_, pattern, path) => {
  const start = performance.now();
  matchesPath(pattern, path);
  expect(performance.now() - start).toBeLessThan(500);
});
