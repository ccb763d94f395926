import { ok } from "node:assert/strict";
import { joinTexts, searchTexts } from "../../../src/skills/search-texts.ts";
import { relevances } from "../../../src/skills/relevance.ts";
import { MAX_QUERY } from "../../../src/skills/rank.ts";
import { queryTerms } from "../../../src/skills/tokens.ts";
import type { FuzzTarget } from "../lib/target.ts";

/** What stands before this is asked for in what stands behind it; without it, words are looked for in all of it. */
const BETWEEN = "\u001F";
const WORDS = "release notes 日本";

function search(input: string): readonly number[] {
  const at = input.indexOf(BETWEEN);
  const [query, text] = at < 0 ? [WORDS, input] : [input.slice(0, at).slice(0, MAX_QUERY), input.slice(at + 1)];
  const texts = searchTexts(joinTexts(["a", text, "release-notes", "Writes release notes"]));
  texts.named(query);
  return relevances(texts, 2, queryTerms(query)).map(({ share }) => share);
}

/** A query for skills, and the descriptions in which its words are looked for. */
export const target: FuzzTarget = {
  read: (input) => [search(input), queryTerms(input)],
  check(input) {
    for (const share of search(input)) ok(share > 0 && share <= 1, `a share of ${share}`);
  },
  words: ["release", "notes", BETWEEN, "日本", "ﬁ", "İ", "\u007F", "a-b"],
  parts: ["a", "release ", "a№ ", "日", "ﬁ", " ", "-", BETWEEN, "\u007F", "\u0301"],
  growth: [16_384, 65_536],
};
