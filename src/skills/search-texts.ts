import { editDistance } from "../lib/words.ts";
import { stemOf } from "./stems.ts";
import { foldCharacters, isPlain, type Term } from "./tokens.ts";

/**
 * Names and descriptions of skills, folded and joined into one text: folding and searching one large text costs next to
 * nothing compared with thousands of small ones.
 */
export interface FoldedTexts {
  /** Where a term occurs, by skill. If it occurs nowhere: where a word does that it may be a misspelling of. */
  find(term: Term, next: Term | undefined): readonly Occurrence[];
  /** The skills whose name begins with it. */
  named(beginning: string): number[];
  nameOf(index: number): string;
  /** The length of each description, in characters. */
  lengthOf(index: number): number;
  /** The average length of descriptions, at least 1. */
  readonly meanLength: number;
}

/** How one skill matches a term. */
export interface Occurrence {
  readonly index: number;
  /** In the name: 1 for the word itself, less for one that only begins alike. */
  name: number;
  /** In the description: the number of occurrences; less than 1 if words only begin alike. */
  description: number;
  /** The query's next term follows it. */
  isFollowed: boolean;
}

/** Names and descriptions of skills as one text. */
export interface JoinedTexts {
  /** Name and description of each in turn, each between separators. */
  readonly texts: string;
  /** The same, folded: this is searched. */
  readonly folded: string;
  /** Where each of them ends there. */
  readonly ends: readonly number[];
  /** The average length of descriptions there, at least 1. */
  readonly meanLength: number;
}

export interface Joined extends JoinedTexts {
  /** No separator had to be replaced by a blank. */
  readonly isExact: boolean;
}

/** A plain character that JSON does not escape. */
const SEPARATOR = "\u007F";

/** @param words name and description of each in turn */
export function joinTexts(words: readonly string[]): Joined {
  const texts = SEPARATOR + words.join(SEPARATOR) + SEPARATOR;
  const ends = words.length === 0 ? [] : endsIn(texts);
  if (ends.length !== words.length) {
    return { ...joinTexts(words.map((word) => word.replaceAll(SEPARATOR, " "))), isExact: false };
  }
  const folded = foldCharacters(texts);
  const foldedEnds = isPlain(texts) ? ends : endsIn(folded);
  return { texts, folded, ends: foldedEnds, meanLength: meanLengthIn(foldedEnds), isExact: true };
}

/** The words that exact texts were joined from. */
export function splitTexts({ texts }: JoinedTexts): string[] {
  // No words make two separators.
  return texts.length === 2 ? [] : texts.split(SEPARATOR).slice(1, -1);
}

/** Where each text ends; the next begins after the separator. */
function endsIn(whole: string): readonly number[] {
  const ends: number[] = [];
  for (let end = whole.indexOf(SEPARATOR, 1); end >= 0; end = whole.indexOf(SEPARATOR, end + 1)) ends.push(end);
  return ends;
}

/** Of descriptions, which take turns with names. */
function meanLengthIn(ends: readonly number[]): number {
  let described = 0;
  for (let at = 1; at < ends.length; at += 2) described += (ends[at] as number) - (ends[at - 1] as number) - 1;
  return Math.max(1, described / Math.max(1, ends.length / 2));
}

export function searchTexts({ folded: whole, ends, meanLength }: JoinedTexts): FoldedTexts {
  return {
    find(term, next) {
      const found = findIn(whole, ends, term, next);
      const mayBeMisspelt = found.length === 0 && !term.isPiece && term.text.length >= MIN_MISSPELT;
      return mayBeMisspelt ? findIn(whole, ends, term, undefined, true) : found;
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
    nameOf: (index) => whole.slice(startOf(2 * index) + 1, ends[2 * index]),
    lengthOf: (index) => (ends[2 * index + 1] as number) - startOf(2 * index + 1) - 1,
    meanLength,
  };

  /** Where the separator before a text stands. */
  function startOf(index: number): number {
    return index === 0 ? 0 : (ends[index - 1] as number);
  }
}

/** What a word is worth that only begins like the wanted one. */
const PARTIAL = 0.3;
/** Shorter beginnings match too many words, both for a shortened query and for a shortened text. */
const MIN_PARTIAL = 3;
const MIN_SHORTENED = 4;

/** Shorter words have too many others that differ by one letter. */
const MIN_MISSPELT = 5;
/** These first letters must be right: all others begin too many words to look at. */
const MISSPELT_AFTER = 2;

/**
 * Searches for a term in one pass over all texts, without extracting any of them.
 *
 * @param whole folded: name and description of each in turn, each after a separator
 * @param ends where each of these texts ends
 * @param isMisspelt whether to find words that differ by one letter
 */
function findIn(
  whole: string,
  ends: readonly number[],
  term: Term,
  next: Term | undefined,
  isMisspelt = false,
): Occurrence[] {
  const found: Occurrence[] = [];
  let last: Occurrence | undefined;
  const beginning = term.isPiece ? term.text : term.text.slice(0, isMisspelt ? MISSPELT_AFTER : MIN_SHORTENED);
  const degreeTo = degrees(term.text, isMisspelt ? degreeOfSimilar : degreeOf);
  let description = 1;
  for (let at = whole.indexOf(beginning); at >= 0; at = whole.indexOf(beginning, at + 1)) {
    if (!term.isPiece && isInWord(whole, at - 1)) continue;
    const end = term.isPiece ? at + term.text.length : endOfWord(whole, at + beginning.length);
    const degree = term.isPiece ? 1 : degreeTo(whole.slice(at, end));
    if (degree === 0) continue;
    while ((ends[description] as number) < at) description += 2;
    if (last?.index !== description >> 1) {
      last = { index: description >> 1, name: 0, description: 0, isFollowed: false };
      found.push(last);
    }
    if (at < (ends[description - 1] as number)) last.name = Math.max(last.name, degree);
    else last.description = degree === 1 ? Math.floor(last.description) + 1 : Math.max(last.description, degree);
    if (next !== undefined && degree === 1 && !last.isFollowed)
      last.isFollowed = isFollowedBy(whole, at, end, term, next);
  }
  return found;
}

/** How well a word matches a stem: `release` and `releases` have one; `auth` and `authentication` begin alike. */
function degrees(stem: string, measure: (word: string, stem: string) => number): (word: string) => number {
  // The same few words, over and over.
  const known = new Map<string, number>();
  return (word) => {
    let degree = known.get(word);
    if (degree === undefined) known.set(word, (degree = measure(word, stem)));
    return degree;
  };
}

function degreeOf(word: string, stem: string): number {
  if (word === stem || stemOf(word) === stem) return 1;
  const isLonger = stem.length >= MIN_PARTIAL && word.startsWith(stem);
  return isLonger || (word.length >= MIN_SHORTENED && stem.startsWith(word)) ? PARTIAL : 0;
}

function degreeOfSimilar(word: string, stem: string): number {
  const isSimilar = [word, stemOf(word)].some((each) => editDistance(each, stem, 2) < 2);
  return isSimilar ? PARTIAL : 0;
}

/** Whether the next term follows one, with only marks and white space between them. */
function isFollowedBy(whole: string, at: number, end: number, term: Term, next: Term): boolean {
  // Neighbouring pairs share a character.
  if (term.isPiece && next.isPiece) return whole.startsWith(next.text, at + characterAt(whole, at).length);
  let start = end;
  while (start < whole.length && whole[start] !== SEPARATOR && !isWordAt(whole, start)) start++;
  if (!whole.startsWith(next.text, start)) return false;
  if (next.isPiece) return true;
  const wordEnd = endOfWord(whole, start + next.text.length);
  return wordEnd === start + next.text.length || stemOf(whole.slice(start, wordEnd)) === next.text;
}

function endOfWord(whole: string, from: number): number {
  for (let end = from; ; end++) {
    const unit = whole.charCodeAt(end);
    // As in `isInWord`: calling it for each letter of plain words would take most of a search's time.
    const isPlainLetter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
    if (!isPlainLetter && !(unit >= 0x80 && isInWord(whole, end))) return end;
  }
}

/** Whether a character is part of a word, in a script that has spaces between words. */
function isInWord(whole: string, at: number): boolean {
  const unit = whole.charCodeAt(at);
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  const character = characterAt(whole, at);
  return /[\p{L}\p{N}\p{M}]/u.test(character) && !isUnspaced(character);
}

function isWordAt(whole: string, at: number): boolean {
  return isInWord(whole, at) || (whole.charCodeAt(at) >= 0x80 && isUnspaced(characterAt(whole, at)));
}

/** Created when a text needs it: plain ones never do. */
function isUnspaced(character: string): boolean {
  return /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u.test(character);
}

/** The character that contains a code unit; "" beyond the ends. */
function characterAt(whole: string, at: number): string {
  const unit = whole.charCodeAt(at);
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  const point = whole.codePointAt(start);
  return point === undefined ? "" : String.fromCodePoint(point);
}
