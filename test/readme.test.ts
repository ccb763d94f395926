import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleBlocks } from "./support/console-blocks.ts";
import { playConsoleBlock } from "./support/play-console-block.ts";
import { REPOSITORY } from "./support/run-codelia.ts";

// Every console block of the manual is played; console-blocks.ts says what may stand above one.

/** The blocks that can't be played: file, first line, reason. A new one needs a good reason. */
const SKIPPED: [file: string, firstLine: string, reason: string][] = [];

const TIMEOUT_MS = 120_000;

const blocks = manualFiles().flatMap((file) => consoleBlocks(readFileSync(join(REPOSITORY, file), "utf8"), file));

test("the manual has a README with a session in it", () => {
  expect(blocks.map(({ file }) => file)).toContain("README.md");
});

test("the sessions that are skipped are the known ones", () => {
  const skipped = blocks.filter(({ skip }) => skip !== undefined);
  expect(skipped.map(({ file, lines, skip }) => [file, lines[0], skip])).toEqual(SKIPPED);
});

for (const block of blocks.filter(({ skip }) => skip === undefined)) {
  test(
    `${block.file}:${block.line} ${block.lines[0]}`,
    async () => {
      const mismatches = await playConsoleBlock(block);
      if (mismatches.length > 0) throw new Error(`\n${block.file}, ${mismatches.join("\n\n")}\n`);
    },
    TIMEOUT_MS,
  );
}

function manualFiles(): string[] {
  const docs = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .toSorted();
  return ["README.md", ...docs].filter((name) => name.endsWith(".md") && existsSync(join(REPOSITORY, name)));
}
