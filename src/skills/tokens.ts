import { stemOf } from "./stems.ts";
import { isStopWord } from "./stop-words.ts";

/** Splits a plain, folded text into the same words, many times faster. */
const NOT_IN_PLAIN_WORDS = /[^a-z0-9]+/;

const PLAIN = /^[\t\n\r -\u007F]*$/;

/** Whether a text is ASCII, so that folding is lower-casing. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A text without differences that a search ignores: case, width, Unicode normal form, surrounding white space. */
export function fold(text: string): string {
  return foldCharacters(text).trim();
}

/** The same, but with surrounding white space. */
export function foldCharacters(text: string): string {
  return isPlain(text) ? text.toLowerCase() : text.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** What an apostrophe joins to a word: `user's`, `don't`, `we'll`, `l'utilisateur`, `qu'il`. */
const ELISIONS = /['\u2019](?:s|t|d|m|ll|ve|re)\b|\b(?:[cdjlmnst]|qu|dell|nell|all)['\u2019](?!s\b)/g;

/** What a query searches for. */
export interface Term {
  /** The stem of a word; or one or two characters of an unspaced run, which match anywhere. */
  readonly text: string;
  readonly isPiece: boolean;
}

/**
 * The content words of a query, and each pair of neighbouring characters in Chinese, Japanese and Korean runs, in
 * order. Unlike a dictionary, pairs give the same answer in every runtime.
 */
export function queryTerms(text: string): Term[] {
  const parts = partsOf(fold(text).replaceAll(ELISIONS, " "));
  const terms = (isWanted: (word: string) => boolean) =>
    parts.flatMap((part): Term[] => {
      if (typeof part !== "string") return pairs(part).map((piece) => ({ text: piece, isPiece: true }));
      return part !== "" && isWanted(part) ? [{ text: stemOf(part), isPiece: false }] : [];
    });
  const meant = terms((word) => !isStopWord(word));
  return meant.length > 0 ? meant : terms(() => true);
}

/** Words, some of them empty, and the characters of unspaced runs. */
function partsOf(folded: string): (string | readonly string[])[] {
  if (isPlain(folded)) return folded.split(NOT_IN_PLAIN_WORDS);
  const parts: (string | readonly string[])[] = [];
  // Scripts written without spaces, or with particles attached to words: a word is no unit of search there.
  const runs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu;
  for (const [word] of folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    let end = 0;
    for (const { 0: run, index } of word.matchAll(runs)) {
      parts.push(word.slice(end, index), [...run]);
      end = index + run.length;
    }
    parts.push(word.slice(end));
  }
  return parts;
}

function pairs(characters: readonly string[]): readonly string[] {
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
