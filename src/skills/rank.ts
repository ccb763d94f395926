import { isAbsolute } from "node:path";
import { compareText } from "../lib/sorting.ts";
import type { SkillBook } from "./columns.ts";
import { relevances } from "./relevance.ts";
import type { SkillSearchReason } from "./schema.ts";
import { mentionedName } from "./select.ts";
import { SKILL_FILE, type Skill } from "./skill.ts";
import { queryTerms, type Term } from "./tokens.ts";

export interface SkillQuery {
  readonly text: string;
  /** The canonical path that the text names, if it exists. */
  readonly path: string | undefined;
}

export interface SkillHit {
  readonly skill: Skill;
  readonly score: number;
  readonly reason: SkillSearchReason;
}

export interface Ranking {
  readonly results: readonly SkillHit[];
  /** There are more than `limit`. */
  readonly truncated: boolean;
}

/** Only the start of a longer query counts. */
export const MAX_QUERY = 2000;
/** Every score of one tier is above every score of the next. Only overlap has degrees: above 0, up to this. */
const TIER_SCORES = { exact_path: 1000, exact_name: 900, prefix: 800, token_overlap: 700 } as const;

/**
 * The skills that match, best first: by tier, then score, then repo before user, then path.
 *
 * @param isWanted whether to include a skill; all by default
 */
export function rankSkills(
  book: SkillBook,
  query: SkillQuery,
  limit: number,
  isWanted?: (skill: Skill) => boolean,
): Ranking {
  const text = query.text.slice(0, MAX_QUERY);
  const found = findHits(book, query, mentionedName(text), queryTerms(text));
  const hits = isWanted === undefined ? found : found.filter(({ index }) => isWanted(book.skillAt(index)));
  const best = takeBest(book, hits, limit);
  return {
    results: best.map(({ index, score, reason }) => ({ skill: book.skillAt(index), score, reason })),
    truncated: hits.length > limit,
  };
}

/** A skill that matches, by its index: of hundreds, few are shown. */
interface Hit {
  readonly index: number;
  readonly score: number;
  readonly reason: SkillSearchReason;
  /** Known after the first comparison. */
  path?: string;
}

/** Each skill that matches, in its highest tier. */
function findHits(book: SkillBook, query: SkillQuery, name: string, terms: readonly Term[]): Hit[] {
  const texts = book.texts();
  const hits: Hit[] = [];
  const isFound = new Uint8Array(book.size);
  function add(index: number, score: number, reason: Hit["reason"]): void {
    if (isFound[index] === 1) return;
    isFound[index] = 1;
    hits.push({ index, score, reason });
  }
  if (query.path !== undefined || isAbsolute(query.text)) {
    for (let index = 0; index < book.size; index++) {
      if (isAt(query, book.pathAt(index))) add(index, TIER_SCORES.exact_path, "exact_path");
    }
  }
  for (const index of name === "" ? [] : texts.named(name)) {
    const reason = texts.nameOf(index) === name ? "exact_name" : "prefix";
    add(index, TIER_SCORES[reason], reason);
  }
  for (const { index, share } of relevances(texts, book.size, terms)) {
    add(index, Math.max(0.01, Math.round(100 * TIER_SCORES.token_overlap * share) / 100), "token_overlap");
  }
  return hits;
}

/** Whether a skill's file, or its directory, is what the query names. */
function isAt({ text, path }: SkillQuery, file: string): boolean {
  return [path, text].some((named) => named !== undefined && (named === file || isDirectoryOf(named, file)));
}

function isDirectoryOf(directory: string, file: string): boolean {
  return file.length === directory.length + 1 + SKILL_FILE.length && file.startsWith(directory);
}

/** The first hits in order, without sorting hundreds if few are shown. */
function takeBest(book: SkillBook, hits: readonly Hit[], limit: number): readonly Hit[] {
  const compare = (left: Hit, right: Hit) =>
    right.score - left.score ||
    compareText(book.scopeAt(left.index), book.scopeAt(right.index)) ||
    compareText((left.path ??= book.pathAt(left.index)), (right.path ??= book.pathAt(right.index)));
  if (limit * 8 > hits.length) return hits.toSorted(compare).slice(0, limit);
  const best: Hit[] = [];
  for (const hit of hits) {
    let place = best.length;
    while (place > 0 && compare(hit, best[place - 1] as Hit) < 0) place--;
    if (place === limit) continue;
    best.splice(place, 0, hit);
    if (best.length > limit) best.pop();
  }
  return best;
}
