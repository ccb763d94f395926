import { isAbsolute } from "node:path";
import type { SkillSearchReason } from "./schema.ts";
import { mentionedName } from "./select.ts";
import { compareText } from "../lib/compare.ts";
import type { Skill } from "./skill.ts";
import type { SkillBook } from "./columns.ts";
import { queryTokens } from "./tokens.ts";

export interface SkillQuery {
  readonly text: string;
  /** The canonical path of what the text names, when it names something that exists. */
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

/** What is longer is no query: of a longer one the beginning counts. */
export const MAX_QUERY = 2000;
/** A separator and the name of the file. */
const FILE_LENGTH = "/SKILL.md".length;
/** Each tier's scores lie above all of the next. Only overlap has degrees: 1 up to its number. */
const TIER_SCORES = { exact_path: 1000, exact_name: 900, prefix: 800, token_overlap: 700 } as const;

/**
 * The skills that fit, best first: by tier, then score, then repo before user, then path.
 *
 * @param isWanted whether a skill is searched at all; every one where it is absent
 */
export function rankSkills(
  book: SkillBook,
  query: SkillQuery,
  limit: number,
  isWanted?: (skill: Skill) => boolean,
): Ranking {
  const asked = query.text.slice(0, MAX_QUERY);
  const name = mentionedName(asked);
  const wanted = queryTokens(asked);
  const hits: Hit[] = [];
  for (const hit of findHits(book, query, name, wanted)) {
    if (isWanted?.(book.skillAt(hit.index)) !== false) hits.push(hit);
  }
  const best = takeBest(book, hits, limit);
  return {
    results: best.map(({ index, score, reason }) => ({ skill: book.skillAt(index), score, reason })),
    truncated: hits.length > limit,
  };
}

/** A skill that fits, by its index: most of hundreds are not shown. */
interface Hit {
  readonly index: number;
  readonly score: number;
  readonly reason: SkillSearchReason;
  /** Once it was compared. */
  path?: string;
}

/** Each skill that fits in its highest tier. */
function findHits(book: SkillBook, query: SkillQuery, name: string, wanted: ReadonlySet<string>): Hit[] {
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
  const { found, shares } = texts.overlaps(wanted);
  for (const index of found) {
    add(index, Math.max(1, Math.round(TIER_SCORES.token_overlap * (shares[index] as number))), "token_overlap");
  }
  return hits;
}

function isAt({ text, path }: SkillQuery, own: string): boolean {
  return own === path || own === text || isFileOf(path, own) || isFileOf(text, own);
}

/** Whether a path is the directory of a skill's file. */
function isFileOf(directory: string | undefined, own: string): boolean {
  return directory !== undefined && own.length === directory.length + FILE_LENGTH && own.startsWith(directory);
}

/** The first of them in order, without ordering hundreds where few are shown. */
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
