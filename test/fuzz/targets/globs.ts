import { equal } from "node:assert/strict";
import { matchesPath } from "../../../src/lib/brace-glob.ts";
import type { FuzzTarget } from "../lib/target.ts";

const PATHS = ["/r/CLAUDE.md", `/r/${"a/".repeat(60)}CLAUDE.md`, `/${"a".repeat(250)}/${"aab".repeat(80)}.md`];

/** A pattern of `claudeMdExcludes`. */
export const target: FuzzTarget = {
  read: (input) => PATHS.map((path) => matchesPath(input, path)),
  check(input) {
    for (const path of PATHS) {
      const means = matchesPath(input, path);
      const opposite = matchesPath(`!${input}`, path);
      if (means !== undefined && opposite !== undefined) equal(opposite, !means, "the opposite is the same");
    }
  },
  words: ["**/", "*.md", "CLAUDE.md", "{a,b}", "[a-z]", "[!a]", "?", "!", "/r/", "a/**", "{1..3}", "@(a|b)"],
  parts: ["*", "**/", "a", "/", "?", "[", "]", "{", "}", ",", "!", ".", "{a,b}", "[a-z]"],
  frames: [["", ""], ["/r/", "CLAUDE.md"]],
  growth: [4096, 65_536],
}; // prettier-ignore
