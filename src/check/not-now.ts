/** What is between a word and the path that it governs: blanks, and marks of emphasis, quotes and brackets. */
const GAP = String.raw`[\s*_"'(]+`;
/** By one of these someone is sent to a file, which then is there; so it is where something is made by or from it. */
const SENT =
  "(?:re-?)?(?:read|see|look|follow|consult|check|run|use|open|refer|visit|update|edit|change|load|study|heed|mind|" +
  "execute|call|start|review|go|ask|try|need|know|extend|match|copy|mirror|import)(?:e?s|ed|ing)?|" +
  "by|from|via|using|per|is|are|was|were|and|or|then|if|when";
const WORD = String.raw`(?!(?:${SENT})\b)[\w-]+${GAP}`;
/** What a verb makes: "create `x`", "create tests `x`", but not "add tests for `x`". */
const THING = String.raw`(?!(?:of|for|with)\b)${WORD}`;
const ARTICLE = String.raw`(?:an?|the|this|that|its|your|their|our|each|one|any)${GAP}`;
const INTO = String.raw`(?:to|in|into|as|at|under|inside|below)${GAP}`;

/** Creating, adding, …, deleting, as it is inflected: a writer and a generator are there. */
const MAKES =
  "creat(?:es?|ed|ing)|add(?:s|ed|ing)?|generat(?:es?|ed|ing)|writ(?:es?|ing|ten)|wrote|emit(?:s|ted|ting)?|" +
  "produc(?:es?|ed|ing)|sav(?:es?|ed|ing)|stor(?:es?|ed|ing)|put(?:s|ting)?|remov(?:es?|ed|ing)|delet(?:es?|ed|ing)|" +
  `renam(?:es?|ed|ing)|replac(?:es?|ed|ing)|outputs?(?:${GAP}(?:is|are|goes|go))?`;
/** "create a log file `x`", "write the report of the day to `x`" */
const MADE = String.raw`(?:${MAKES})${GAP}(?:${ARTICLE}(?:${THING}){0,2}|(?:${THING})?|(?:${WORD}){0,5}${INTO}(?:${ARTICLE})?(?:${THING})?)`;
/** "a new page `x`" */
const NEW = String.raw`(?:new|optional(?:ly)?|(?:git)?ignored?)${GAP}(?:${THING})?(?:${INTO})?`;
/** "files such as `x`", "an example file `x`" */
const EXAMPLE = String.raw`(?:e\.?g\.?|for example|examples?|such as|like|named?|called|instead of),?${GAP}(?:${ARTICLE})?(?:files?${GAP})?`;
/** "formerly in `x`" */
const GONE = String.raw`(?:former(?:ly)?|previously|no longer|renamed from|moved from),?${GAP}(?:${INTO})?(?:${ARTICLE})?(?:files?${GAP})?`;

const NOT_NOW = new RegExp(String.raw`\b(?:${MADE}|${NEW}|${EXAMPLE}|${GONE})$`, "i");

/**
 * Whether what stands right before a path says that it is still to be made, is gone, or is only an example. The word
 * has to govern the path: "when adding a rule, see `x`" speaks of a file that is there.
 *
 * @param before the end of the line up to the path, of a bounded length
 */
export function isNotNow(before: string): boolean {
  // A colon leads over to the path: "a new file: `x`".
  return NOT_NOW.test(before.replace(/:(?=[\s*_]*$)/, ""));
}
