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

/** Blanks and invisible characters that a lenient reader may pass over between `<`, `/` and the name. */
const FILLER = String.raw`[\s\u0000-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]*`;
const FRAME_TAG = new RegExp(`<(?=${FILLER}(?:/${FILLER})?(?:${FRAMES.join("|")})(?![\\w-]))`, "giu");
const HEADER_LINE = /^(?=Instructions from:)/gm;

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
