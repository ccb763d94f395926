import { equal, ok } from "node:assert/strict";
import { pathMentions } from "../../../src/check/path-mentions.ts";
import { repeatedTexts } from "../../../src/check/repeated.ts";
import { stripInvisible, withoutInvisible } from "../../../src/lib/invisible.ts";
import { writtenPaths } from "../../../src/check/letter-case.ts";
import { findInvisible } from "../../../src/lib/invisible.ts";
import { readBlocks } from "../../../src/lib/markdown/blocks.ts";
import { skillReferences } from "../../../src/check/skill-references.ts";
import { frontMatterOf, keyOffset } from "../../../src/lib/markdown/front-matter.ts";
import { findFrameTags } from "../../../src/instructions/body.ts";
import { isBlankInRust, trimAsRust } from "../../../src/lib/text.ts";
import type { FuzzTarget } from "../lib/target.ts";

const GROUNDS = { areAlike: () => true, namesIn: () => ["a", "b.ts"] };

function repeated(text: string) {
  const file = { name: "AGENTS.md", text, textBytes: text.length, sizeBytes: text.length };
  const above = { ...file, directory: "/r", path: "/r/AGENTS.md", realPath: "/r/AGENTS.md", text: `${text}\n` };
  const below = {
    ...file,
    directory: "/r/a",
    path: "/r/a/AGENTS.md",
    realPath: "/r/a/AGENTS.md",
    text: `x\n\n${text}`,
  };
  return repeatedTexts([above, below], GROUNDS);
}

/** An instruction file, or the text of a skill. */
export const target: FuzzTarget = {
  read(input) {
    const parts = frontMatterOf(input);
    return [
      readBlocks(input, parts.bodyStart),
      skillReferences(input, parts.bodyStart),
      keyOffset(input, parts, "description"),
      pathMentions(input),
      writtenPaths(input, ["AGENTS.md", "CLAUDE.md"]),
      findInvisible(input),
      withoutInvisible(input),
      findFrameTags(input),
      trimAsRust(input),
      isBlankInRust(input),
      repeated(input),
    ];
  },
  check(input) {
    const { prose, code } = readBlocks(input, 0);
    for (const blocks of [prose, code]) {
      let before = 0;
      for (const { start, end } of blocks) {
        ok(start >= before && start <= end && end <= input.length, "a block outside of the text, or before another");
        before = end;
      }
    }
    const lines = input.split("\n").length;
    const named = [...skillReferences(input, 0).mentions, ...pathMentions(input).mentions];
    for (const { line, column } of named) ok(line >= 1 && line <= lines && column >= 1, "a path that stands nowhere");
    for (const path of writtenPaths(input, ["AGENTS.md"])) ok(input.includes(path), "a path that is not written");
    const stripped = withoutInvisible(input);
    equal(stripInvisible(stripped).gone.size, 0, "what can't be seen is still there");
    ok(stripped.length <= input.length, "longer than it was");
    const trimmed = trimAsRust(input);
    ok(input.includes(trimmed) && trimAsRust(trimmed) === trimmed, "trimmed again it is another");
    equal(isBlankInRust(input), trimmed === "", "blank, and something is left");
    repeated(input);
  },
  words: ["# a\n", "```\n", "~~~", "[a](b/c.md)", "![a](b)", "[a]: b\n", "`src/a.ts`", "<!--", "-->", "<pre>", "</pre>", "> ", "- ", "1. ", "    ", "| a |", "===", "---\n", "\u200B", "\u{E0041}", "\uFE0F", "AGENTS.md", "create `", "<agents_context"],
  parts: ["a", "\n", " ", "`", "[", "](", ")", "<", "<!--", "<!--begin-->", "> ", "- ", "AGENTS.md", "e.g. `a/b.ts` ", "\u200B", "\u0085"],
  growth: [16_384, 65_536],
}; // prettier-ignore
