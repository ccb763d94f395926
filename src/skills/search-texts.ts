import { foldCharacters, isPlain, textTokens } from "./tokens.ts";

/**
 * Names and descriptions of skills, folded and put into one text: folding and searching one large text costs next to
 * nothing compared with thousands of small ones.
 */
export interface FoldedTexts {
  /** How much of what is wanted the texts of each skill hold. */
  overlaps(wanted: ReadonlySet<string>): Overlaps;
  /** The skills whose name begins so. */
  named(beginning: string): number[];
  nameOf(index: number): string;
}

export interface Overlaps {
  /** From 0 to 1, by the index of the skill. */
  readonly shares: Readonly<Float64Array>;
  /** The skills with more than 0, each once. */
  readonly found: readonly number[];
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

/** A plain character that JSON does not escape. */
const SEPARATOR = "\u007F";

/** @param words name and description of each in turn */
export function joinTexts(words: readonly string[]): Joined {
  const texts = SEPARATOR + words.join(SEPARATOR) + SEPARATOR;
  const ends = endsIn(texts);
  if (words.length > 0 && ends.length !== words.length) {
    return { ...joinTexts(words.map((word) => word.replaceAll(SEPARATOR, " "))), isExact: false };
  }
  return isPlain(texts) ? { texts, ends, isExact: true } : { texts, folded: foldCharacters(texts), isExact: true };
}

/** The words that exact texts were joined from. */
export function splitTexts({ texts }: JoinedTexts): string[] {
  // Of no words, there are two separators.
  return texts.length === 2 ? [] : texts.split(SEPARATOR).slice(1, -1);
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
  return {
    overlaps(wanted) {
      if (isAllPlain) return overlapsInPlain(whole, ends, wanted);
      const shares = new Float64Array(ends.length / 2);
      // No word fits a wanted one unless it begins like it.
      const candidates = new Set([...wanted].flatMap((token) => holding(token.slice(0, MIN_PARTIAL))));
      for (const index of candidates) shares[index] = shareOf(index, wanted);
      return { shares, found: [...candidates].filter((index) => (shares[index] as number) > 0) };
    },
    named(beginning) {
      const found: number[] = [];
      if (beginning.includes(SEPARATOR)) return found;
      const wanted = SEPARATOR + beginning;
      let skill = 0;
      for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
        while ((ends[2 * skill] as number) < at + 1) skill++;
        if (at === startOf(2 * skill)) found.push(skill);
      }
      return found;
    },
    nameOf: (index) => textAt(2 * index),
  };

  /** Where the separator before a text stands. */
  function startOf(index: number): number {
    return index === 0 ? 0 : (ends[index - 1] as number);
  }

  function textAt(index: number): string {
    return whole.slice(startOf(index) + 1, ends[index]);
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

  /** Of one skill, where not all texts are plain; its own may be. */
  function shareOf(index: number, wanted: ReadonlySet<string>): number {
    const start = startOf(2 * index);
    const own = whole.slice(start, (ends[2 * index + 1] as number) + 1);
    if (isPlain(own)) return overlapsInPlain(own, endsIn(own), wanted).shares[0] as number;
    const [name, description] = [textTokens(textAt(2 * index)), textTokens(textAt(2 * index + 1))];
    let sum = 0;
    for (const token of wanted) {
      sum += Math.max(WEIGHTS.name * presence(token, name), WEIGHTS.description * presence(token, description));
    }
    return sum / wanted.size;
  }
}

/** How well words answer a wanted one: 1 for the word itself, less for one that only begins like it. */
function presence(token: string, words: readonly string[]): number {
  if (words.includes(token)) return 1;
  return words.some((word) => beginsLike(word, token)) ? PARTIAL : 0;
}

/** What a word is worth in a name, and in a description. */
const WEIGHTS = { name: 1, description: 0.7 } as const;
/** What a word is worth that only begins like the wanted one. */
const PARTIAL = 0.5;
/** Shorter beginnings fit too many words. */
const MIN_PARTIAL = 3;

/** `release` and `releases`. */
function beginsLike(word: string, token: string): boolean {
  if (word.length < token.length) return word.length >= MIN_PARTIAL && token.startsWith(word);
  return token.length >= MIN_PARTIAL && word.startsWith(token);
}

/**
 * Searches for each wanted word in one pass over all texts, without taking any of them out.
 *
 * @param whole plain and folded: name and description of each in turn, each behind a separator
 * @param ends where each of these texts ends
 */
function overlapsInPlain(whole: string, ends: readonly number[], wanted: ReadonlySet<string>): Overlaps {
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
      // There is nothing better in this skill.
      if (best === WEIGHTS.name) at = ends[2 * skill + 1] as number;
    }
    count(skill, best);
  }
  for (const index of found) shares[index] = (shares[index] as number) / wanted.size;
  return { shares, found };

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

/** A digit or a lower-case letter; false for the NaN beyond a text's ends. */
function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}
