import { UNSEEN } from "./escape.ts";

/** The elements of ours that stand around bodies: a body may hold none of their tags. */
const FRAMES = [
  "agents_context",
  "agents_usage",
  "skills_context",
  "skill_context",
  "skill_context_reminder",
  "system-reminder",
  "codelia-reminder",
];

/** The longest name, its brackets, and a blank or two. */
const MAX_SHOWN_TAG = 32;

const HEADER = "Instructions from:";

let frameTag: RegExp | undefined;
let headerLine: RegExp | undefined;

/**
 * A file's text as it stands in a bundle: verbatim, but that it can't open or close a frame of ours, nor begin
 * another file's section.
 */
export function defuse(body: string): string {
  // Nearly every file holds neither, and the expressions take longer to compile than to find that out.
  const unframed = body.includes("<") ? body.replace((frameTag ??= makeFrameTag()), "&lt;") : body;
  return unframed.includes(HEADER) ? unframed.replace((headerLine ??= makeHeaderLine()), " ") : unframed;
}

/** Where a text holds what `defuse` takes for a tag of ours, and what it looks like without its brackets. */
export function findFrameTags(text: string): { at: number; tag: string }[] {
  if (!text.includes("<")) return [];
  return [...text.matchAll((frameTag ??= makeFrameTag()))].map(({ index }) => {
    const [tag = ""] = text.slice(index + 1, index + MAX_SHOWN_TAG).split(/[<>]/, 1);
    return { at: index, tag: tag.trim() };
  });
}

/** Blanks, and what can't be seen, may be passed over by a lenient reader between `<`, `/` and the name. */
function makeFrameTag(): RegExp {
  // Variation selectors and their like as well: in a name they may be part of how it is written, in a tag they are not.
  const hidden = String.raw`${UNSEEN}\p{Default_Ignorable_Code_Point}`;
  const filler = String.raw`[\s${hidden}]*`;
  const names = FRAMES.map((name) => [...name].join(`[${hidden}]*`)).join("|");
  return new RegExp(`<(?=${filler}(?:/${filler})?(?:${names})(?![\\w-]))`, "giu");
}

function makeHeaderLine(): RegExp {
  return new RegExp(String.raw`^(?=(?:(?![\r\n\u2028\u2029])[${UNSEEN}])*${HEADER})`, "gmu");
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a file as text: invalid UTF-8 and NUL as U+FFFD. */
export function decodeBody(bytes: Uint8Array): string {
  return decoder.decode(bytes).replaceAll("\0", "\uFFFD");
}
