import { grammarMistakes } from "./grammar.mjs";
import { phraseChecker } from "./phrases.mjs";
import { descriptionsIn, proseOf } from "./prose-of.mjs";
import { spellingChecker } from "./spelling.mjs";

export { OWN_WORDS } from "./spelling.mjs";

/**
 * A function from a file's name and text to what is wrong with it: `file:line: message`. Spelling, grammar and phrases of
 * Markdown and of what JSON Schemas describe; only the phrases of anything else, which is source code.
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
