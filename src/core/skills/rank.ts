import type { SkillMetadata, SkillScope, SkillSearchReason, SkillSearchResult } from "../../schema/skills.ts";
import { mentionedName } from "./mention.ts";
import { compareText } from "./order.ts";
import { queryTokens, textTokens } from "./tokens.ts";

export interface SkillQuery {
  readonly text: string;
  /** The canonical path of what the text names, when it names something that exists. */
  readonly path: string | undefined;
}

export interface Ranking {
  readonly results: readonly SkillSearchResult[];
  /** There are more than `limit`. */
  readonly truncated: boolean;
}

/** Each tier's scores lie above all of the next. Only overlap has degrees: 1 up to its number. */
const TIER_SCORES = { exact_path: 1000, exact_name: 900, prefix: 800, token_overlap: 700 } as const;
const WEIGHTS = { name: 1, description: 0.7, partial: 0.5 } as const;
/** Shorter beginnings fit too many words. */
const MIN_PARTIAL = 3;

/** The skills that fit, best first: by tier, then score, then repo before user, then path. */
export function rankSkills(
  skills: readonly SkillMetadata[],
  query: SkillQuery,
  limit: number,
  scope?: SkillScope,
): Ranking {
  const name = mentionedName(query.text);
  const wanted = queryTokens(query.text);
  const hits = skills
    .filter((skill) => scope === undefined || skill.scope === scope)
    .map((skill) => judge(skill, query, name, wanted))
    .filter((found) => found !== undefined)
    .toSorted(compareHits);
  return { results: hits.slice(0, limit), truncated: hits.length > limit };
}

function judge(
  skill: SkillMetadata,
  query: SkillQuery,
  name: string,
  wanted: ReadonlySet<string>,
): SkillSearchResult | undefined {
  if (names(query, skill)) return hit(skill, "exact_path", TIER_SCORES.exact_path);
  if (name === skill.name) return hit(skill, "exact_name", TIER_SCORES.exact_name);
  if (name !== "" && skill.name.startsWith(name)) return hit(skill, "prefix", TIER_SCORES.prefix);
  const overlap = overlapOf(skill, wanted);
  if (overlap === 0) return undefined;
  return hit(skill, "token_overlap", Math.max(1, Math.round(TIER_SCORES.token_overlap * overlap)));
}

function names({ text, path }: SkillQuery, skill: SkillMetadata): boolean {
  return [skill.path, skill.dir].some((own) => own === path || own === text);
}

/** How much of what is wanted the skill speaks of: 0 to 1. */
function overlapOf(skill: SkillMetadata, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  const inName = textTokens(skill.name);
  const inDescription = textTokens(skill.description);
  let sum = 0;
  for (const token of wanted) {
    sum += Math.max(WEIGHTS.name * presence(token, inName), WEIGHTS.description * presence(token, inDescription));
  }
  return sum / wanted.size;
}

/** 1 for the word itself, less for one that only begins like it: `release` and `releases`. */
function presence(token: string, tokens: ReadonlySet<string>): number {
  if (tokens.has(token)) return 1;
  for (const candidate of tokens) {
    const [shorter, longer] = candidate.length < token.length ? [candidate, token] : [token, candidate];
    if (shorter.length >= MIN_PARTIAL && longer.startsWith(shorter)) return WEIGHTS.partial;
  }
  return 0;
}

function compareHits(left: SkillSearchResult, right: SkillSearchResult): number {
  return (
    right.score - left.score ||
    compareText(left.skill.scope, right.skill.scope) ||
    compareText(left.skill.path, right.skill.path)
  );
}

function hit(skill: SkillMetadata, reason: SkillSearchReason, score: number): SkillSearchResult {
  return { skill, score, reason };
}
