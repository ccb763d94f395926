import { expect, test } from "bun:test";
import { matchesGlob } from "../../src/core/glob.ts";

// What the real client takes for a match of `claudeMdExcludes`; test/e2e/claude-native.test.ts holds the client to it.
const ROWS: [glob: string, root: boolean | undefined, below: boolean | undefined][] = [
  ["**/AGENTS.md", true, true],
  ["AGENTS.md", false, false],
  ["*.md", false, false],
  ["*/AGENTS.md", false, false],
  ["**/*.md", true, true],
  ["**/AGENTS.*", true, true],
  ["**/{AGENTS,CLAUDE}.md", true, true],
  ["**/{A{B,GENTS},C}.md", true, true],
  ["**/sub/**", false, true],
  ["**/sub/AGENTS.md", false, true],
  ["sub/AGENTS.md", false, false],
  ["./sub/AGENTS.md", false, false],
  ["/r/sub/AGENTS.md", false, true],
  ["/r/**", true, true],
  ["/**/AGENTS.md", true, true],
  ["**/sub", false, false],
  ["**/sub/", false, false],
  ["/r/sub", false, false],
  ["**/agents.md", false, false],
  ["**/AGENT?.md", true, true],
  ["**/[A-Z]*.md", true, true],
  ["**/[!A]*.md", false, false],
  ["**", true, true],
  ["", false, false],
  ["!**/AGENTS.md", undefined, undefined],
  ["**/+(AGENTS).md", undefined, undefined],
  ["**/{AGENTS.md", undefined, undefined],
  ["**/AGENTS{1..3}.md", undefined, undefined],
  [`${"{a,b}".repeat(12)}`, undefined, undefined],
];

for (const [glob, root, below] of ROWS) {
  test(`matchesGlob(${JSON.stringify(glob.slice(0, 40))}): ${root}, ${below}`, () => {
    expect([matchesGlob(glob, "/r/AGENTS.md"), matchesGlob(glob, "/r/sub/AGENTS.md")]).toEqual([
      root as boolean,
      below as boolean,
    ]);
  });
}

test("matchesGlob() is over at once for a glob that was made to take long", () => {
  const path = `/${"a/".repeat(500)}${"a".repeat(500)}`;
  const started = performance.now();
  expect(matchesGlob(`${"**/".repeat(200)}x`, path)).toBe(false);
  expect(matchesGlob(`**/${"*a".repeat(200)}b`, path)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1000);
});
