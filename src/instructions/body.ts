import { lossyText } from "../lib/text.ts";
import { FILE_HEADER, FRAMES, SKILL_FOOTER } from "./elements.ts";
import { UNSEEN } from "../lib/escape.ts";

/** The longest name with its brackets and some blanks. */
const MAX_SHOWN_TAG = 32;
/**
 * Characters that a lenient reader skips. Variation selectors too: they may be part of a name's spelling, but not here.
 */
const HIDDEN = String.raw`${UNSEEN}\p{Default_Ignorable_Code_Point}`;
/** Characters that some reader treats as a line end. */
const LINE_ENDS = String.raw`\n\v\f\r\x1C-\x1E\x85\u2028\u2029`;
const HEADERS = { file: [FILE_HEADER], skill: [FILE_HEADER, SKILL_FOOTER] } as const;

/** Most texts consist only of these ranges, none of which is hidden. */
const SEEN =
  /^[\t\n\r -~\u00A1-\u00AC\u00AE-\u02FF\u0370-\u05FF\u2010-\u2027\u2030-\u205E\u20A0-\u27FF\u3001-\u3163\u3165-\uABFF\u{1F000}-\u{1FAFF}]*$/u;

/**
 * Matches at least everything that the patterns below match, in a text without hidden characters: the start of each of
 * our element names, the end of each of our line prefixes.
 */
const LIKELY = /<[\s/]*(?:a\s*g\s*e\s*n|c\s*o\s*d\s*e\s*l|s\s*(?:k|y))|f\s*r\s*o\s*m\s*:|o\s*r\s*y\s*:/iu;

interface Patterns {
  readonly tag: RegExp;
  /** The start of a line that looks like one of ours. */
  readonly lineStart: Readonly<Record<keyof typeof HEADERS, RegExp>>;
}

// Large character classes are slow to compile, and few texts need them.
let hidden: RegExp | undefined;
let patterns: Patterns | undefined;

/**
 * The text of a file as it is printed: verbatim, except that it can't open or close one of our elements, or begin
 * another file's section. A skill's text can't name another base directory either.
 */
export function defuse(body: string, kind: keyof typeof HEADERS = "file"): string {
  if (!isLikely(body)) return body;
  const { tag, lineStart } = (patterns ??= makePatterns());
  return body.replace(tag, "&lt;").replace(lineStart[kind], " ");
}

/** Where `defuse` finds one of our tags in a text, and how it is written there, without brackets. */
export function findFrameTags(text: string): { at: number; tag: string }[] {
  if (!isLikely(text)) return [];
  return [...text.matchAll((patterns ??= makePatterns()).tag)].map(({ index }) => {
    const [tag = ""] = text.slice(index + 1, index + MAX_SHOWN_TAG).split(/[<>]/, 1);
    return { at: index, tag: tag.trim() };
  });
}

/** A quick test for anything that might be ours. */
function isLikely(text: string): boolean {
  if (SEEN.test(text)) return LIKELY.test(text);
  hidden ??= new RegExp(`[[${HIDDEN}]--[\\t\\n\\r]]`, "gv");
  return LIKELY.test(text.replace(hidden, ""));
}

function makePatterns(): Patterns {
  // A lenient reader also skips blanks between `<`, `/` and the name.
  const filler = String.raw`[\s${HIDDEN}]*`;
  const names = FRAMES.map((name) => spelt(name, String.raw`[\t\n\r${HIDDEN}]*`));
  const inLine = `[[\\t${HIDDEN}]--[${LINE_ENDS}]]*`;
  const blanks = `[[\\s${HIDDEN}]--[${LINE_ENDS}]]+`;
  const words = (header: string): string =>
    header
      .split(" ")
      .map((word) => spelt(word, inLine))
      .join(blanks);
  // A tab before the words is visible.
  const before = `[[${HIDDEN}]--[\\t${LINE_ENDS}]]*`;
  const lineStart = (headers: readonly string[]): RegExp =>
    new RegExp(`(?<=^|[${LINE_ENDS}])(?=${before}(?:${headers.map(words).join("|")}))`, "giv");
  return {
    tag: new RegExp(`<(?=${filler}(?:/${filler})?(?:${names.join("|")})(?![\\w\\-]))`, "giv"),
    lineStart: { file: lineStart(HEADERS.file), skill: lineStart(HEADERS.skill) },
  };
}

/** A word, with a pattern for what may stand between two of its characters. */
function spelt(word: string, between: string): string {
  return [...word].join(between);
}

/** Bytes of a file as text: invalid UTF-8 and NUL as U+FFFD. */
export function decodeBody(bytes: Uint8Array): string {
  return lossyText(bytes).replaceAll("\0", "\uFFFD");
}
