import { foldCharacters, isPlain, textTokens } from "./tokens.ts";

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

/** What a word is worth in a name, and in a description. */
const WEIGHTS = { name: 1, description: 0.7 } as const;

/** How much of what is wanted names and descriptions speak of: 0 to 1, by index; and which do at all, each once. */
export interface Overlaps {
  readonly shares: Readonly<Float64Array>;
  readonly found: readonly number[];
}

/**
 * In one pass for each wanted word over all texts, which stand in one, without taking any of them out.
 *
 * @param whole plain and folded: name and description of each in turn, each behind a separator
 * @param ends where each of these texts ends
 */
export function overlapsInPlain(whole: string, ends: readonly number[], wanted: ReadonlySet<string>): Overlaps {
  const shares = new Float64Array(ends.length / 2);
  const found: number[] = [];
  for (const token of wanted) {
    const beginning = token.slice(0, MIN_PARTIAL);
    let [text, skill, best] = [0, 0, 0];
    for (let at = whole.indexOf(beginning); at >= 0; at = whole.indexOf(beginning, at + 1)) {
      if (isWordUnit(whole.charCodeAt(at - 1))) continue;
      const degree = degreeAt(whole, at, token);
      if (degree === 0) continue;
      while ((ends[text] as number) < at) text++;
      if (text >> 1 !== skill) {
        count(skill, best);
        [skill, best] = [text >> 1, 0];
      }
      best = Math.max(best, (text % 2 === 0 ? WEIGHTS.name : WEIGHTS.description) * degree);
      // Nothing better is to be found in this one.
      if (best === WEIGHTS.name) at = ends[2 * skill + 1] as number;
    }
    count(skill, best);
  }
  return share({ shares, found }, wanted);

  function count(skill: number, worth: number): void {
    if (worth > 0 && shares[skill] === 0) found.push(skill);
    shares[skill] = (shares[skill] ?? 0) + worth;
  }
}

/** How well the word that begins there answers a wanted one. */
function degreeAt(whole: string, at: number, token: string): number {
  if (whole.startsWith(token, at) && !isWordUnit(whole.charCodeAt(at + token.length))) return 1;
  let end = at + 1;
  while (isWordUnit(whole.charCodeAt(end))) end++;
  return beginsLike(whole.slice(at, end), token) ? PARTIAL : 0;
}

/** Of texts that are not all plain, those that hold the beginning of a wanted word, one by one. */
export function overlapsAmong(
  candidates: ReadonlySet<number>,
  size: number,
  textsOf: (index: number) => { readonly name: string; readonly description: string },
  wanted: ReadonlySet<string>,
): Overlaps {
  const shares = new Float64Array(size);
  const found: number[] = [];
  for (const index of candidates) {
    const { name, description } = textsOf(index);
    const [inName, inDescription] = [searchable(name), searchable(description)];
    let sum = 0;
    for (const token of wanted) {
      sum += Math.max(WEIGHTS.name * presence(token, inName), WEIGHTS.description * presence(token, inDescription));
    }
    if (sum > 0) found.push(index);
    shares[index] = sum;
  }
  return share({ shares, found }, wanted);
}

function share(
  overlaps: { readonly shares: Float64Array; readonly found: number[] },
  wanted: ReadonlySet<string>,
): Overlaps {
  for (const index of overlaps.found) overlaps.shares[index] = (overlaps.shares[index] as number) / wanted.size;
  return overlaps;
}

/** Shorter beginnings fit too many words. */
export const MIN_PARTIAL = 3;

export const PARTIAL = 0.5;

/** A folded text to look for words in: itself where it is plain, else the words it was cut into. */
export type Searchable = string | readonly string[];

export function searchable(folded: string, isPlainText = isPlain(folded)): Searchable {
  return isPlainText ? folded : textTokens(folded);
}

/** How well a text answers a wanted token: 1 for the word itself, less for one that only begins like it. */
export function presence(token: string, text: Searchable): number {
  if (typeof text === "string") return presenceInPlain(token, text);
  if (text.includes(token)) return 1;
  return text.some((word) => beginsLike(word, token)) ? PARTIAL : 0;
}

/** Without cutting the text into its words. */
function presenceInPlain(token: string, text: string): number {
  const beginning = token.slice(0, MIN_PARTIAL);
  let best = 0;
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (isWordUnit(text.charCodeAt(at - 1))) continue;
    let end = at + 1;
    while (isWordUnit(text.charCodeAt(end))) end++;
    const word = text.slice(at, end);
    if (word === token) return 1;
    if (beginsLike(word, token)) best = PARTIAL;
  }
  return best;
}

/** `release` and `releases`. */
export function beginsLike(word: string, token: string): boolean {
  if (word.length < token.length) return word.length >= MIN_PARTIAL && token.startsWith(word);
  return token.length >= MIN_PARTIAL && word.startsWith(token);
}

/** A digit or a lower-case letter; false for the NaN beyond a text's ends. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}
