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

/** Each tier's scores lie above all of the next. Only overlap has degrees: 1 up to its number. */
const TIER_SCORES = { exact_path: 1000, exact_name: 900, prefix: 800, token_overlap: 700 } as const;
const WEIGHTS = { name: 1, description: 0.7 } as const;

/**
 * The skills that fit, best first: by tier, then score, then repo before user, then path.
 *
 * @param isWanted whether a skill is searched at all
 */
export function rankSkills(
  book: SkillBook,
  query: SkillQuery,
  limit: number,
  isWanted: (skill: Skill) => boolean = () => true,
): Ranking {
  const name = mentionedName(query.text);
  const wanted = queryTokens(query.text);
  const texts = book.texts();
  const hits: SkillHit[] = [];
  for (const index of candidates(book, texts, query, name, wanted)) {
    const skill = book.skillAt(index);
    const hit = isWanted(skill) ? judge(skill, index, texts, query, name, wanted) : undefined;
    if (hit !== undefined) hits.push(hit);
  }
  return { results: takeBest(hits, limit), truncated: hits.length > limit };
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
  for (const [index, skill] of book.all().entries()) if (isAt(query, skill)) found.add(index);
  return found;
}

function judge(
  skill: Skill,
  index: number,
  texts: FoldedTexts,
  query: SkillQuery,
  name: string,
  wanted: ReadonlySet<string>,
): SkillHit | undefined {
  if (isAt(query, skill)) return { skill, score: TIER_SCORES.exact_path, reason: "exact_path" };
  const own = texts.nameOf(index);
  if (name === own) return { skill, score: TIER_SCORES.exact_name, reason: "exact_name" };
  if (name !== "" && own.startsWith(name)) return { skill, score: TIER_SCORES.prefix, reason: "prefix" };
  const overlap = overlapOf(texts, index, wanted);
  if (overlap === 0) return undefined;
  return { skill, score: Math.max(1, Math.round(TIER_SCORES.token_overlap * overlap)), reason: "token_overlap" };
}

function isAt({ text, path }: SkillQuery, skill: Skill): boolean {
  return skill.path === path || skill.path === text || skill.dir === path || skill.dir === text;
}

/** How much of what is wanted a name and a description speak of: 0 to 1. */
function overlapOf(texts: FoldedTexts, index: number, wanted: ReadonlySet<string>): number {
  const inName = searchable(texts.nameOf(index), texts.isPlain);
  const inDescription = searchable(texts.descriptionOf(index), texts.isPlain);
  let sum = 0;
  for (const token of wanted) {
    sum += Math.max(WEIGHTS.name * presence(token, inName), WEIGHTS.description * presence(token, inDescription));
  }
  return sum / wanted.size;
}

/** The first of them in order, without ordering thousands where few are shown. */
function takeBest(hits: SkillHit[], limit: number): SkillHit[] {
  if (limit * 8 > hits.length) return hits.toSorted(compareHits).slice(0, limit);
  const best: SkillHit[] = [];
  for (const hit of hits) {
    let place = best.length;
    while (place > 0 && compareHits(hit, best[place - 1] as SkillHit) < 0) place--;
    if (place === limit) continue;
    best.splice(place, 0, hit);
    if (best.length > limit) best.pop();
  }
  return best;
}

function compareHits(left: SkillHit, right: SkillHit): number {
  return (
    right.score - left.score ||
    compareText(left.skill.scope, right.skill.scope) ||
    compareText(left.skill.path, right.skill.path)
  );
}
