import { readFileSync } from "node:fs";
import { join } from "node:path";
import dictionary from "dictionary-en-gb";
import nspell from "nspell";
import retextEnglish from "retext-english";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRedundantAcronyms from "retext-redundant-acronyms";
import retextRepeatedWords from "retext-repeated-words";
import { unified } from "unified";
import { VFile } from "vfile";

/** Words that are missing in the dictionary, such as names and technical terms, one per line. */
export const OWN_WORDS = ".tools/prose/words.txt";

/** Phrases that we don't use, and what we say instead: `[{ not, but }]`. */
const HOUSE_RULES = ".tools/prose/house-rules.json";

/**
 * Returns a function that lists the mistakes in a file, given its name and text, as `file:line: message`. It checks the
 * spelling, grammar and phrases of Markdown and of the descriptions in JSON Schemas; in source code only the phrases.
 */
export function mistakeFinder(root) {
  const phrases = phraseChecker(root);
  const spelling = spellingChecker(root);
  return (file, text) => {
    const prose = file.endsWith(".md") ? proseOf(text) : file.endsWith(".json") ? descriptionsIn(text) : "";
    return [...spelling(prose), ...grammarMistakes(prose), ...phrases(text)]
      .toSorted((one, other) => one.index - other.index)
      .map(({ index, message }) => `${file}:${text.slice(0, index).split("\n").length}: ${message}`);
  };
}

/** Returns a function that finds the misspelled words of a text, with their positions. */
function spellingChecker(root) {
  const speller = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));
  for (const word of readFileSync(join(root, OWN_WORDS), "utf8").trimEnd().split("\n")) speller.add(word);
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

/** Leaves out parts of file names, flags, numbers with units and entities. */
const WORD = /(?<![\p{L}\p{N}_./@~$&=\\-])\p{L}[\p{L}'’]*(?<!['’])(?![\p{L}\p{N}_/@=(]|\.\p{L})/gu;

/** SIGKILL, AGENTS; SessionStart, MiniSearch. */
function isName(word) {
  return word === word.toUpperCase() || /\p{Ll}\p{Lu}/u.test(word);
}

function withoutEnding(word) {
  return word.replace(/['’]s$/u, "");
}

const processor = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextRedundantAcronyms)
  .use(retextRepeatedWords)
  .freeze();

/** Wrong articles, repeated words and the like, with their positions. */
function grammarMistakes(prose) {
  const file = new VFile(prose);
  processor.runSync(processor.parse(file), file);
  return file.messages.map(({ place, reason }) => ({ index: place.start.offset, message: reason }));
}

/** Returns a function that finds the phrases of a text that the house rules replace, also in source code. */
function phraseChecker(root) {
  const rules = JSON.parse(readFileSync(join(root, HOUSE_RULES), "utf8"));
  return (text) =>
    rules.flatMap(({ not, but }) =>
      Array.from(text.matchAll(pattern(not)), ({ index }) => ({ index, message: `'${not}': rather '${but}'` })),
    );
}

/** Matches in any letter case, and across line ends, even if the next line begins with the mark of a comment or a list. */
function pattern(phrase) {
  const words = phrase.split(" ").map((word) => word.replaceAll(/[.*+?()[\]{}|^$\\]/gu, String.raw`\$&`));
  return new RegExp(String.raw`(?<!\p{L})${words.join(String.raw`(?: |\s+(?:\*|\/\/|#)?\s*)`)}(?!\p{L})`, "giu");
}

/**
 * The prose of a Markdown file. Code, addresses and marks become `¤`, which is part of no word, so every position in the
 * result is the same in the file.
 */
function proseOf(markdown) {
  return withoutFences(markdown)
    .replaceAll(/<!--[^]*?-->/gu, blank)
    .replaceAll(/(`+)[^`](?:[^]*?[^`])??\1(?!`)/gu, blank)
    .replaceAll(/(?<=\])\([^)\s]*\)/gu, blank)
    .replaceAll(/^\[[^\]]+\]: \S+$/gmu, blank)
    .replaceAll(/<\/?[a-z][^>]*>/giu, blank)
    .replaceAll(/https?:\/\/\S+/gu, blank)
    .replaceAll(/[|*]/gu, "¤");
}

/** The same for the descriptions in a JSON Schema. */
function descriptionsIn(schema) {
  return schema
    .split("\n")
    .map((line) => {
      const start = /^\s*"description": "/u.exec(line)?.[0].length ?? line.length;
      return blank(line.slice(0, start)) + line.slice(start).replace(/",?$/u, blank);
    })
    .join("\n");
}

function withoutFences(markdown) {
  let fence;
  return markdown
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
        return blank(line);
      }
      fence = mark;
      return mark === undefined ? line : blank(line);
    })
    .join("\n");
}

function blank(text) {
  return text.replaceAll(/[^\n]/gu, "¤");
}
