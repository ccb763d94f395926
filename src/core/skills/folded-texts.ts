import type { Skill } from "./skill.ts";
import { foldCharacters, isPlain } from "./tokens.ts";

/** ASCII, and nothing that JSON would escape. */
export const SEPARATOR = "\u007F";

/**
 * Names and descriptions of skills, folded and put into one text. What thousands of small texts would cost one by one,
 * folding and searching, costs next to nothing in one large one.
 */
export interface FoldedTexts {
  /** The skills whose name or description holds a part, by index, in order. */
  holding(part: string): number[];
  /** The skills whose name begins so. */
  named(beginning: string): number[];
  /** All of them are ASCII. */
  readonly isPlain: boolean;
  nameOf(index: number): string;
  descriptionOf(index: number): string;
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

/** @param whole folded, as `joinTexts` makes it */
export function searchTexts(whole: string): FoldedTexts {
  /** Where each text ends; the next begins behind the separator. */
  const ends: number[] = [];
  for (let end = whole.indexOf(SEPARATOR, 1); end >= 0; end = whole.indexOf(SEPARATOR, end + 1)) ends.push(end);

  function textAt(index: number): string {
    return whole.slice(index === 0 ? 1 : (ends[index - 1] as number) + 1, ends[index]);
  }

  return {
    holding(part) {
      const found: number[] = [];
      let skill = 0;
      for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, ends[2 * skill - 1])) {
        while ((ends[2 * skill + 1] as number) < at) skill++;
        found.push(skill++);
      }
      return found;
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
    isPlain: isPlain(whole),
    nameOf: (index) => textAt(2 * index),
    descriptionOf: (index) => textAt(2 * index + 1),
  };
}
