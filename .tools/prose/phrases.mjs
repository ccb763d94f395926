import { readFileSync } from "node:fs";
import { join } from "node:path";

/** How we don't say it, and how we do: `[{ not, but }]`. */
export const HOUSE_RULES = ".tools/prose/house-rules.json";

/** A function from any text, also of source code, to the phrases in it that the house rules replace. */
export function phraseChecker(root) {
  const rules = JSON.parse(readFileSync(join(root, HOUSE_RULES), "utf8"));
  return (text) =>
    rules.flatMap(({ not, but }) =>
      Array.from(text.matchAll(pattern(not)), ({ index }) => ({ index, message: `'${not}': rather '${but}'` })),
    );
}

/** In any letter case, also where a line breaks within it, with the marks of comments and lists at its beginning. */
function pattern(phrase) {
  const words = phrase.split(" ").map((word) => word.replaceAll(/[.*+?()[\]{}|^$\\]/gu, String.raw`\$&`));
  return new RegExp(String.raw`(?<!\p{L})${words.join(String.raw`(?: |\s+(?:\*|\/\/|#)?\s*)`)}(?!\p{L})`, "giu");
}
