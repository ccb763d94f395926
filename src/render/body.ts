import { FILE_HEADER, FRAMES, SKILL_FOOTER } from "./elements.ts";
import { UNSEEN } from "./escape.ts";

/** The longest name, its brackets, and a blank or two. */
const MAX_SHOWN_TAG = 32;
/** What a lenient reader passes over. Variation selectors too: in a name they may be part of how it is written, here not. */
const HIDDEN = String.raw`${UNSEEN}\p{Default_Ignorable_Code_Point}`;
/** What some reader takes for the end of a line. */
const LINE_ENDS = String.raw`\n\v\f\r\x1C-\x1E\x85\u2028\u2029`;
const HEADERS = { file: [FILE_HEADER], skill: [FILE_HEADER, SKILL_FOOTER] } as const;

/** What is looked for in a text. */
interface Patterns {
  readonly tag: RegExp;
  /** The words that lines of ours begin with, anywhere: found sooner than the beginnings of lines. */
  readonly announced: Readonly<Record<keyof typeof HEADERS, RegExp>>;
  /** The beginnings of the lines that begin as ours do. */
  readonly lineStart: Readonly<Record<keyof typeof HEADERS, RegExp>>;
}

/** Large classes take their time to compile, and few texts hide anything. */
let hiding: RegExp | undefined;
let inPlainText: Patterns | undefined;
let inHidingText: Patterns | undefined;

/**
 * A file's text as it stands in a bundle: verbatim, but that it can't open or close an element of ours, nor begin
 * another file's section. A skill's text can't say either what its relative paths are relative to.
 */
export function defuse(body: string, kind: keyof typeof HEADERS = "file"): string {
  const { tag, announced, lineStart } = patternsFor(body);
  const unframed = body.includes("<") ? body.replace(tag, "&lt;") : body;
  return announced[kind].test(unframed) ? unframed.replace(lineStart[kind], " ") : unframed;
}

/** Where a text holds what `defuse` takes for a tag of ours, and what it looks like without its brackets. */
export function findFrameTags(text: string): { at: number; tag: string }[] {
  if (!text.includes("<")) return [];
  return [...text.matchAll(patternsFor(text).tag)].map(({ index }) => {
    const [tag = ""] = text.slice(index + 1, index + MAX_SHOWN_TAG).split(/[<>]/, 1);
    return { at: index, tag: tag.trim() };
  });
}

function patternsFor(text: string): Patterns {
  hiding ??= new RegExp(`[[${HIDDEN}]--[\\t\\n\\r]]`, "v");
  return hiding.test(text) ? (inHidingText ??= makePatterns(HIDDEN)) : (inPlainText ??= makePatterns(""));
}

/** @param hidden what may stand between any two characters, as line ends may in a tag */
function makePatterns(hidden: string): Patterns {
  const spelt = (word: string, between: string): string => [...word].join(between);
  // Blanks, too, may be passed over between `<`, `/` and the name.
  const filler = String.raw`[\s${hidden}]*`;
  const names = FRAMES.map((name) => spelt(name, String.raw`[\t\n\r${hidden}]*`));
  const inLine = `[[\\t${hidden}]--[${LINE_ENDS}]]*`;
  const blanks = `[[\\s${hidden}]--[${LINE_ENDS}]]+`;
  const words = (header: string): string =>
    header
      .split(" ")
      .map((word) => spelt(word, inLine))
      .join(blanks);
  // A tab before the words can be seen.
  const before = hidden === "" ? "" : `[[${hidden}]--[\\t${LINE_ENDS}]]*`;
  const announced = (headers: readonly string[]): RegExp => new RegExp(headers.map(words).join("|"), "iv");
  const lineStart = (headers: readonly string[]): RegExp =>
    new RegExp(`(?<=^|[${LINE_ENDS}])(?=${before}(?:${headers.map(words).join("|")}))`, "giv");
  return {
    tag: new RegExp(`<(?=${filler}(?:/${filler})?(?:${names.join("|")})(?![\\w\\-]))`, "giv"),
    announced: { file: announced(HEADERS.file), skill: announced(HEADERS.skill) },
    lineStart: { file: lineStart(HEADERS.file), skill: lineStart(HEADERS.skill) },
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a file as text: invalid UTF-8 and NUL as U+FFFD. */
export function decodeBody(bytes: Uint8Array): string {
  return decoder.decode(bytes).replaceAll("\0", "\uFFFD");
}
