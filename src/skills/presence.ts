import { isPlain, textTokens } from "./tokens.ts";

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
