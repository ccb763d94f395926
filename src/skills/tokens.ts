const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Between the words of a plain, folded text: the same, and many times faster. */
const NOT_IN_PLAIN_WORDS = /[^a-z0-9]+/;
/** Scripts that are written without spaces, or attach particles to words: there a word is no unit of search. */
const UNSPACED_RUN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu;

const PLAIN = /^[\t\n\r -\u007F]*$/;

/** Whether a text is ASCII: then folding is lower case. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A text without differences that a search ignores: case, width, Unicode normal form, white space around it. */
export function fold(text: string): string {
  return foldCharacters(text).trim();
}

/** The same, but keeps the white space around it. */
export function foldCharacters(text: string): string {
  return isPlain(text) ? text.toLowerCase() : text.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/**
 * What a query searches for: its words, and of Chinese, Japanese and Korean runs each pair of neighbouring characters.
 * Unlike a dictionary, that gives the same answer in every runtime.
 */
export function queryTokens(text: string): Set<string> {
  return new Set(cut(text, (run) => (run.length === 1 ? run : pairs(run))));
}

/** What a text can be found by: the same, and each single character of such runs. */
export function textTokens(text: string): string[] {
  return cut(text, (run) => [...run, ...pairs(run)]);
}

function cut(text: string, cutRun: (run: readonly string[]) => readonly string[]): string[] {
  const folded = fold(text);
  if (isPlain(folded)) return folded.split(NOT_IN_PLAIN_WORDS).filter((token) => token !== "");
  const tokens: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
    let end = 0;
    for (const { 0: run, index } of word.matchAll(UNSPACED_RUN)) {
      tokens.push(word.slice(end, index), ...cutRun([...run]));
      end = index + run.length;
    }
    tokens.push(word.slice(end));
  }
  return tokens.filter((token) => token !== "");
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
