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

/** Names and descriptions of skills as one text. */
export interface JoinedTexts {
  /** Name and description of each in turn, each between separators. */
  readonly texts: string;
  /** The same folded; absent where they are plain. */
  readonly folded?: string;
}

export interface Joined extends JoinedTexts {
  /** No separator had to be replaced by a blank. */
  readonly isExact: boolean;
  /** Where each of them ends, where they are plain. */
  readonly ends?: readonly number[];
}

/** @param words name and description of each in turn */
export function joinTexts(words: readonly string[]): Joined {
  const texts = SEPARATOR + words.join(SEPARATOR) + SEPARATOR;
  const ends = endsIn(texts);
  if (words.length > 0 && ends.length !== words.length) {
    return { ...joinTexts(words.map((word) => word.replaceAll(SEPARATOR, " "))), isExact: false };
  }
  return isPlain(texts) ? { texts, ends, isExact: true } : { texts, folded: foldCharacters(texts), isExact: true };
}

export function searchTexts({ texts, folded, ends = endsIn(folded ?? texts) }: Omit<Joined, "isExact">): FoldedTexts {
  return folded === undefined
    ? searchFolded(texts.toLowerCase(), ends, true)
    : searchFolded(folded, ends, isPlain(folded));
}

/** Where each text ends; the next begins behind the separator. */
function endsIn(whole: string): readonly number[] {
  const ends: number[] = [];
  for (let end = whole.indexOf(SEPARATOR, 1); end >= 0; end = whole.indexOf(SEPARATOR, end + 1)) ends.push(end);
  return ends;
}

function searchFolded(whole: string, ends: readonly number[], isAllPlain: boolean): FoldedTexts {
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
      if (beginning.includes(SEPARATOR)) return found;
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
