import { expect, test } from "bun:test";
import { pathsOfPrompt } from "../../src/touched/prompt.ts";
import { CWD, HOME, shown } from "./command-table.ts";

const CASES: [prompt: string, mentioned: string[]][] = [
  ["@src/x.ts", ["src/x.ts"]],
  ["Look at @src/x.ts, then @docs/a.md.", ["src/x.ts", "docs/a.md"]],
  ["@\"with space.md\" and @'other one.md'", ["with space.md", "other one.md"]],
  ["@my\\ file.md", ["my file.md"]],
  ["(see @src/a.ts)", ["src/a.ts"]],
  ["@src/app/(auth)/[id]/page.tsx!", ["src/app/(auth)/[id]/page.tsx"]],
  ["@src/x.ts#L10-20 @src/y.ts:12 @src/z.ts:3-9", ["src/x.ts", "src/y.ts", "src/z.ts"]],
  ["@src/ @./lib @../up", ["src", "lib", "/up"]],
  ["@~/notes.md @/etc/hosts", ["/home/u/notes.md", "/etc/hosts"]],
  ["@src/コア/説明.md を読んで、@docs/a.md。", ["src/コア/説明.md", "docs/a.md"]],
  ["mail me@example.com or a.b@c.d", []],
  ["git@github.com:u/r.git", []],
  ["@ alone, @@ twice", []],
  ['@"never closed', []],
  ["@https://example.com/x", []],
  ["", []],
];
for (const [prompt, mentioned] of CASES) {
  test(`pathsOfPrompt() of ${JSON.stringify(prompt)}`, () => {
    expect(shown(pathsOfPrompt(prompt, CWD, HOME))).toEqual(mentioned.map((path) => `read ${path}`));
  });
}

test("pathsOfPrompt() takes a long prompt of nothing but mentions", () => {
  expect(pathsOfPrompt("@a/b ".repeat(200_000), CWD, HOME)).toHaveLength(1);
  expect(pathsOfPrompt(`@${"x".repeat(1 << 20)}`, CWD, HOME)).toEqual([]);
  expect(pathsOfPrompt(' @"'.repeat(1 << 18), CWD, HOME).length).toBeLessThan(512);
});

test.each(["(@", ",@", "(@a://"])("pathsOfPrompt() stops soon at mentions that stand in each other: %j", (piece) => {
  const isReached = (count: number) =>
    shown(pathsOfPrompt(`${piece.repeat(count)} @src/a.ts`, CWD, HOME)).includes("read src/a.ts");
  // Each may be as long as the longest: with the work done, nothing more is found.
  expect([isReached(10), isReached(100_000)]).toEqual([true, false]);
});

test("pathsOfPrompt() reads thousands of mentions that are as long as paths are", () => {
  const long = `@${"directory/".repeat(9)}a.ts `;
  expect(shown(pathsOfPrompt(`${long.repeat(5000)} @src/a.ts`, CWD, HOME))).toHaveLength(2);
});
