import { isAbsolute } from "node:path";
import type { SkillSearchReason } from "../../schema/skills.ts";
import type { FoldedTexts } from "./folded-texts.ts";
import { mentionedName } from "./mention.ts";
import { compareText } from "./order.ts";
import type { Skill } from "./skill.ts";
import type { SkillBook } from "./skill-book.ts";
import { MIN_PARTIAL, presence, searchable } from "./presence.ts";
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

/** A separator and the name of the file. */
const FILE_LENGTH = "/SKILL.md".length;
/** Each tier's scores lie above all of the next. Only overlap has degrees: 1 up to its number. */
const TIER_SCORES = { exact_path: 1000, exact_name: 900, prefix: 800, token_overlap: 700 } as const;
const WEIGHTS = { name: 1, description: 0.7 } as const;

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
  const name = mentionedName(query.text);
  const wanted = queryTokens(query.text);
  const texts = book.texts();
  const hits: Hit[] = [];
  for (const index of candidates(book, texts, query, name, wanted)) {
    const hit = judge(book, texts, index, query, name, wanted);
    if (hit !== undefined && isWanted?.(book.skillAt(index)) !== false) hits.push(hit);
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
}

/** Those that may fit at all: of thousands, few need a closer look. */
function candidates(
  book: SkillBook,
  texts: FoldedTexts,
  query: SkillQuery,
  name: string,
  wanted: ReadonlySet<string>,
): Set<number> {
  const found = new Set<number>();
  // No word fits a wanted one unless it begins like it.
  for (const token of wanted) for (const index of texts.holding(token.slice(0, MIN_PARTIAL))) found.add(index);
  if (name !== "") for (const index of texts.named(name)) found.add(index);
  if (query.path === undefined && !isAbsolute(query.text)) return found;
  for (let index = 0; index < book.size; index++) if (isAt(query, book.pathAt(index))) found.add(index);
  return found;
}

function judge(
  book: SkillBook,
  texts: FoldedTexts,
  index: number,
  query: SkillQuery,
  name: string,
  wanted: ReadonlySet<string>,
): Hit | undefined {
  if (isAt(query, book.pathAt(index))) return { index, score: TIER_SCORES.exact_path, reason: "exact_path" };
  const own = texts.nameOf(index);
  if (name === own) return { index, score: TIER_SCORES.exact_name, reason: "exact_name" };
  if (name !== "" && own.startsWith(name)) return { index, score: TIER_SCORES.prefix, reason: "prefix" };
  const overlap = overlapOf(own, texts.descriptionOf(index), texts.isPlain, wanted);
  if (overlap === 0) return undefined;
  return { index, score: Math.max(1, Math.round(TIER_SCORES.token_overlap * overlap)), reason: "token_overlap" };
}

function isAt({ text, path }: SkillQuery, own: string): boolean {
  return own === path || own === text || isFileOf(path, own) || isFileOf(text, own);
}

/** Whether a path is the directory of a skill's file. */
function isFileOf(directory: string | undefined, own: string): boolean {
  return directory !== undefined && own.length === directory.length + FILE_LENGTH && own.startsWith(directory);
}

/** How much of what is wanted a name and a description speak of: 0 to 1. */
function overlapOf(name: string, description: string, isPlain: boolean, wanted: ReadonlySet<string>): number {
  const inName = searchable(name, isPlain);
  const inDescription = searchable(description, isPlain);
  let sum = 0;
  for (const token of wanted) {
    sum += Math.max(WEIGHTS.name * presence(token, inName), WEIGHTS.description * presence(token, inDescription));
  }
  return sum / wanted.size;
}

/** The first of them in order, without ordering hundreds where few are shown. */
function takeBest(book: SkillBook, hits: readonly Hit[], limit: number): readonly Hit[] {
  const compare = (left: Hit, right: Hit) =>
    right.score - left.score ||
    compareText(book.scopeAt(left.index), book.scopeAt(right.index)) ||
    compareText(book.pathAt(left.index), book.pathAt(right.index));
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
