import { expect } from "bun:test";
import { array, constantFrom, integer, oneof, property, record, string, tuple } from "fast-check";
import { compareText } from "../../src/lib/sorting.ts";
import { rankSkills, type SkillHit } from "../../src/skills/rank.ts";
import { bookOf } from "../../src/skills/columns.ts";
import type { Skill } from "../../src/skills/skill.ts";
import { relevances } from "../../src/skills/relevance.ts";
import type { FoldedTexts, Occurrence } from "../../src/skills/search-texts.ts";
import { stemOf } from "../../src/skills/stems.ts";
import { fold, foldCharacters, queryTerms, type Term } from "../../src/skills/tokens.ts";
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
  const shares = relevances(plainTexts(skills), skills.length, queryTerms(query));
  const hits = skills.flatMap((candidate, index): SkillHit[] => {
    const own = folded(candidate.name);
    if (candidate.path === query || candidate.dir === query)
      return [{ skill: candidate, score: 1000, reason: "exact_path" }];
    if (name !== "" && own === name) return [{ skill: candidate, score: 900, reason: "exact_name" }];
    if (name !== "" && own.startsWith(name)) return [{ skill: candidate, score: 800, reason: "prefix" }];
    const share = shares.find((found) => found.index === index)?.share;
    if (share === undefined) return [];
    return [{ skill: candidate, score: Math.max(0.01, Math.round(70_000 * share) / 100), reason: "token_overlap" }];
  });
  return hits.toSorted(
    (left, right) =>
      right.score - left.score ||
      compareText(left.skill.scope, right.skill.scope) ||
      compareText(left.skill.path, right.skill.path),
  );
}

function folded(part: string): string {
  return foldCharacters(part.replaceAll("\u007F", " "));
}

/** Words as they are cut, one text at a time. */
function plainTexts(skills: readonly Skill[]): FoldedTexts {
  const parts = skills.map(({ name, description }) => [folded(name), folded(description)] as const);
  const total = parts.reduce((sum, [, description]) => sum + description.length, 0);
  return {
    find(term, next) {
      return parts.flatMap(([name, description], index): Occurrence[] => {
        const [inName, inDescription] = [name, description].map((part) => degreesIn(wordsOf(part), term, next));
        const [names, rest] = [inName?.degrees ?? [], inDescription?.degrees ?? []];
        if (names.length + rest.length === 0) return [];
        const exact = rest.filter((degree) => degree === 1).length;
        const isFollowed = inName?.isFollowed === true || inDescription?.isFollowed === true;
        return [{ index, name: Math.max(0, ...names), description: exact || Math.max(0, ...rest), isFollowed }];
      });
    },
    named: () => [],
    nameOf: (index) => parts[index]?.[0] ?? "",
    lengthOf: (index) => parts[index]?.[1].length ?? 0,
    meanLength: Math.max(1, total / Math.max(1, skills.length)),
  };
}

type Word = string | readonly string[];

/** Words, and runs of scripts without spaces as characters. */
function wordsOf(part: string): Word[] {
  const runs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/u;
  const whole = part.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return whole.flatMap((word) =>
    (word.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|./gu) ?? [])
      .reduce<string[]>((cut, piece) => {
        const last = cut.at(-1);
        if (last === undefined || runs.test(piece) || runs.test(last)) cut.push(piece);
        else cut[cut.length - 1] = last + piece;
        return cut;
      }, [])
      .map((piece) => (runs.test(piece) ? Array.from(piece) : piece)),
  );
}

function degreesIn(
  all: readonly Word[],
  term: Term,
  next: Term | undefined,
): { degrees: number[]; isFollowed: boolean } {
  const degrees: number[] = [];
  let isFollowed = false;
  for (const [place, word] of all.entries()) {
    const starts = typeof word === "string" ? [0] : word.map((_, at) => at);
    for (const at of starts) {
      const degree = degreeAt(word, at, term);
      if (degree === 0) continue;
      degrees.push(degree);
      if (degree < 1 || next === undefined) continue;
      const length = [...term.text].length;
      const isSame = typeof word !== "string" && (next.isPiece ? at + 1 < word.length : at + length < word.length);
      const [after, from] = isSame ? [word, at + (next.isPiece ? 1 : length)] : [all[place + 1] ?? "", 0];
      isFollowed ||= after !== "" && degreeAt(after, from, next) === 1;
    }
  }
  return { degrees, isFollowed };
}

function degreeAt(word: Word, at: number, term: Term): number {
  if (typeof word !== "string") {
    return term.isPiece && word.slice(at).join("").startsWith(term.text) ? 1 : 0;
  }
  if (term.isPiece) return 0;
  if (word === term.text || stemOf(word) === term.text) return 1;
  const isLike = term.text.length >= 3 && word.startsWith(term.text);
  return isLike || (word.length >= 4 && term.text.startsWith(word)) ? 0.3 : 0;
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
