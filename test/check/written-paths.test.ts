import { expect, test } from "bun:test";
import { writtenPaths } from "../../src/check/letter-case.ts";

const NAMES = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];

const CASES: [text: string, paths: string[]][] = [
  ["@agents.md", ["agents.md"]],
  ["See [it](../docs/agents.md#top), `sub/Agents.md`.", ["../docs/agents.md", "sub/Agents.md"]],
  ["[it]: ./agents.md\n<claude.md>", ["./agents.md", "claude.md"]],
  ["**agents.md** is read first.", ["agents.md"]],
  ["agents.override.md", ["agents.override.md"]],
  ["agents.mdx, agents.md-old, agentsXmd", []],
  ["agents.md is the end of agents.md", ["agents.md", "agents.md"]],
];
for (const [text, paths] of CASES) {
  test(JSON.stringify(text), () => {
    expect(writtenPaths(text, NAMES)).toEqual(paths);
  });
}

test("a megabyte of names without an end is read in no time", () => {
  const start = performance.now();
  writtenPaths("agents.md/".repeat(100_000), NAMES);
  expect(performance.now() - start).toBeLessThan(2000);
});
