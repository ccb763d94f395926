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

/** What a lenient reader may pass over between `<`, `/` and the name: blanks, and what can't be seen. */
const FILLER = String.raw`[\s${UNSEEN}]*`;
const NAMES = FRAMES.map((name) => [...name].join(`[${UNSEEN}]*`)).join("|");
const FRAME_TAG = new RegExp(`<(?=${FILLER}(?:/${FILLER})?(?:${NAMES})(?![\\w-]))`, "giu");
const HEADER_LINE = new RegExp(String.raw`^(?=(?:(?![\r\n\u2028\u2029])[${UNSEEN}])*Instructions from:)`, "gmu");

/**
 * A file's text as it stands in a bundle: verbatim, but that it can't open or close a frame of ours, nor begin
 * another file's section.
 */
export function defuse(body: string): string {
  return body.replace(FRAME_TAG, "&lt;").replace(HEADER_LINE, " ");
}

/** Bytes of a file as text: invalid UTF-8 and NUL as U+FFFD. */
export function decodeBody(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\uFFFD");
}
