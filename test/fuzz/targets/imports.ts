import { equal, ok } from "node:assert/strict";
import { readMemory } from "../../../src/instructions/memory-text.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** A CLAUDE.md or a rule: front matter, comments, and what it imports by `@path`. */
export const target: FuzzTarget = {
  read: readMemory,
  check(input) {
    const { text, imports } = readMemory(input);
    equal(text, text.trim(), "not trimmed");
    ok(text.length <= input.length, "longer than it is written");
    for (const path of imports) ok(path !== "" && !/[\n\t]/.test(path), `no path: ${JSON.stringify(path)}`);
  },
  words: ["@a.md", "@~/b.md", "---\npaths: a\n---\n", "<!--", "-->", "```\n", "~~~", "`", "**@a**", "[@a](b)", "@a\\ b.md", "#x", "    "],
  parts: ["@a ", "`", "```", "<!--", "-->", "---", "\n", " ", "\t", "a", "#", "\\ ", ",", "- "],
  frames: [["", ""], ["---\npaths:", "\n---\n"]],
  growth: [16_384, 131_072],
}; // prettier-ignore
