import { readFileSync } from "node:fs";
import { join } from "node:path";
import dictionary from "dictionary-en-gb";
import nspell from "nspell";

/** Words that the dictionary lacks: names, terms of the trade. One a line. */
export const OWN_WORDS = ".tools/prose/words.txt";

/** A function from prose to its misspelled words, each with its place in the text. */
export function spellingChecker(root) {
  const speller = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));
  for (const word of ownWords(root)) speller.add(word);
  const known = new Map();
  const isCorrect = (word) => {
    if (!known.has(word)) known.set(word, speller.correct(word));
    return known.get(word);
  };
  return (prose) =>
    Array.from(prose.matchAll(WORD), ({ 0: word, index }) => ({ word, index }))
      .filter(({ word }) => !isName(word) && !isCorrect(word) && !isCorrect(withoutEnding(word)))
      .map(({ word, index }) => ({ index, message: `'${word}' is not in the dictionary` }));
}

export function ownWords(root) {
  return readFileSync(join(root, OWN_WORDS), "utf8").trimEnd().split("\n");
}

/** Not the parts of file names, flags, numbers with units, entities: what stands in prose without being a word of it. */
const WORD = /(?<![\p{L}\p{N}_./@~$&=\\-])\p{L}[\p{L}'’]*(?<!['’])(?![\p{L}\p{N}_/@=(]|\.\p{L})/gu;

/** SIGKILL, AGENTS; SessionStart, MiniSearch. */
function isName(word) {
  return word === word.toUpperCase() || /\p{Ll}\p{Lu}/u.test(word);
}

function withoutEnding(word) {
  return word.replace(/['’]s$/u, "");
}
