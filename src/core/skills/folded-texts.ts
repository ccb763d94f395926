import type { Skill } from "./skill.ts";
import { overlapsAmong, overlapsInPlain, type Overlaps } from "./overlap.ts";
import { MIN_PARTIAL } from "./presence.ts";
import { foldCharacters, isPlain } from "./tokens.ts";

/** ASCII, and nothing that JSON would escape. */
export const SEPARATOR = "\u007F";

/**
 * Names and descriptions of skills, folded and put into one text. What thousands of small texts would cost one by one,
 * folding and searching, costs next to nothing in one large one.
 */
export interface FoldedTexts {
  /** How much of what is wanted each skill speaks of. */
  overlaps(wanted: ReadonlySet<string>): Overlaps;
  /** The skills whose name begins so. */
  named(beginning: string): number[];
  nameOf(index: number): string;
}

export function foldTexts(skills: readonly Skill[]): FoldedTexts {
  return searchTexts(foldCharacters(joinTexts(skills) ?? joinTexts(skills.map(withoutSeparators)) ?? ""));
}

/**
 * Name and description of each skill in turn, each between separators. Undefined where one of them holds a separator:
 * then they could not be told apart.
 */
export function joinTexts(skills: readonly Pick<Skill, "name" | "description">[]): string | undefined {
  const texts: string[] = [];
  for (const { name, description } of skills) texts.push(name, description);
  const joined = texts.join(SEPARATOR);
  return joined.split(SEPARATOR).length === Math.max(1, texts.length) ? SEPARATOR + joined + SEPARATOR : undefined;
}

function withoutSeparators({ name, description }: Skill): Pick<Skill, "name" | "description"> {
  return { name: name.replaceAll(SEPARATOR, " "), description: description.replaceAll(SEPARATOR, " ") };
}

/** @param whole folded, as `joinTexts` makes it; isAllPlain: whether it is ASCII, where that is known */
export function searchTexts(whole: string, isAllPlain = isPlain(whole)): FoldedTexts {
  /** Where each text ends; the next begins behind the separator. */
  const ends: number[] = [];
  for (let end = whole.indexOf(SEPARATOR, 1); end >= 0; end = whole.indexOf(SEPARATOR, end + 1)) ends.push(end);

  function textAt(index: number): string {
    return whole.slice(index === 0 ? 1 : (ends[index - 1] as number) + 1, ends[index]);
  }

  /** The skills whose name or description holds a part. */
  function holding(part: string): number[] {
    const found: number[] = [];
    let skill = 0;
    for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, ends[2 * skill - 1])) {
      while ((ends[2 * skill + 1] as number) < at) skill++;
      found.push(skill++);
    }
    return found;
  }

  return {
    overlaps(wanted) {
      if (isAllPlain) return overlapsInPlain(whole, ends, wanted);
      // No word fits a wanted one unless it begins like it.
      const candidates = new Set<number>();
      for (const token of wanted) for (const index of holding(token.slice(0, MIN_PARTIAL))) candidates.add(index);
      const textsOf = (index: number) => ({ name: textAt(2 * index), description: textAt(2 * index + 1) });
      return overlapsAmong(candidates, ends.length / 2, textsOf, wanted);
    },
    named(beginning) {
      const found: number[] = [];
      const wanted = SEPARATOR + beginning;
      let skill = 0;
      for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
        while ((ends[2 * skill] as number) < at + 1) skill++;
        if (at === (skill === 0 ? 0 : ends[2 * skill - 1])) found.push(skill);
      }
      return found;
    },
    nameOf: (index) => textAt(2 * index),
  };
}
