import { expect } from "bun:test";
import { array, constantFrom, integer, oneof, property, record, string, tuple } from "fast-check";
import { compareText } from "../../src/lib/compare.ts";
import { rankSkills, type SkillHit } from "../../src/skills/rank.ts";
import { bookOf } from "../../src/skills/columns.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { fold, queryTokens, textTokens } from "../../src/skills/tokens.ts";
import { testProperty } from "./fuzz.ts";

const words = constantFrom(
  "release", "releases", "rel", "re", "notes", "note", "Notes", "v2", "a", "リリース", "リリ", "ノート", "猫", "代码审查", "릴리스", "ＲＥＬＥＡＳＥ",
  "cafe\u0301", "Straße", "İ", "x\u007Fy", "\u0301", "-", "_", ".", "😀", "",
); // prettier-ignore
const text = oneof(
  array(words, { maxLength: 5 }).map((some) => some.join(" ")),
  tuple(words, words).map((two) => two.join("")),
  string({ unit: "binary", maxLength: 6 }),
);
const skill = record({
  // As `checkHeader` gives them.
  name: text.map((some) => some.trim()),
  description: text,
  scope: constantFrom("repo", "user"),
  nth: integer({ max: 9 }),
}).map(({ name, description, scope, nth }, index = nth): Skill => {
  const dir = `/s/${index}`;
  return { name, description, scope: scope as Skill["scope"], path: `${dir}/SKILL.md`, dir, mtimeMs: 0, distance: 0 };
});

/** What ranking means, one skill at a time and with nothing left out. */
function rankPlainly(skills: readonly Skill[], query: string): SkillHit[] {
  const name = fold(query).replace(/^\$/, "");
  const wanted = [...queryTokens(query)];
  const hits = skills.flatMap((candidate): SkillHit[] => {
    const own = fold(candidate.name.replaceAll("\u007F", " "));
    if (candidate.path === query || candidate.dir === query)
      return [{ skill: candidate, score: 1000, reason: "exact_path" }];
    if (name !== "" && own === name) return [{ skill: candidate, score: 900, reason: "exact_name" }];
    if (name !== "" && own.startsWith(name)) return [{ skill: candidate, score: 800, reason: "prefix" }];
    const [inName, inDescription] = [candidate.name, candidate.description].map((part) => textTokens(part));
    const sum = wanted.reduce(
      (total, token) => total + Math.max(presenceIn(inName, token), 0.7 * presenceIn(inDescription, token)),
      0,
    );
    const score = Math.round(700 * (sum / wanted.length));
    return sum > 0 ? [{ skill: candidate, score: Math.max(1, score), reason: "token_overlap" }] : [];
  });
  return hits.toSorted(
    (left, right) =>
      right.score - left.score ||
      compareText(left.skill.scope, right.skill.scope) ||
      compareText(left.skill.path, right.skill.path),
  );
}

function presenceIn(tokens: readonly string[] | undefined, wanted: string): number {
  if (tokens?.includes(wanted)) return 1;
  const isLike = (token: string) => {
    const [shorter, longer] = token.length < wanted.length ? [token, wanted] : [wanted, token];
    return shorter.length >= 3 && longer.startsWith(shorter);
  };
  return tokens?.some(isLike) ? 0.5 : 0;
}

testProperty(
  "rankSkills() gives what judging each skill by itself gives",
  property(array(skill, { maxLength: 30 }), text, integer({ min: 1, max: 12 }), (some, query, limit) => {
    const skills = some.map((one, index) => ({ ...one, path: `/s/${index}/SKILL.md`, dir: `/s/${index}` }));
    const expected = rankPlainly(skills, query);
    const ranking = rankSkills(bookOf(skills), { text: query, path: undefined }, limit);
    expect(ranking.results).toEqual(expected.slice(0, limit));
    expect(ranking.truncated).toBe(expected.length > limit);
  }),
);
