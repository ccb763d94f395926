/**
 * Characters that a reader can't see, or that change how others are seen, as a class of regular expressions: control,
 * format (bidi, zero-width, tag), line and paragraph separators, fillers.
 */
export const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0`;
/** Those, and what XML can't hold. Large classes take their time to compile, and most names need none of it. */
let invisible: RegExp | undefined;

/** A name for a person: what can't be seen is shown as `\u{…}`. */
export function visible(text: string): string {
  if (isPlain(text)) return text;
  invisible ??= new RegExp(String.raw`[${UNSEEN}\p{Cs}\uFFFE\uFFFF]`, "gu");
  return text.replace(invisible, (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A name, path or description inside our elements: visible, and nothing in it is markup. */
export function escapeText(text: string): string {
  if (isPlain(text)) return text;
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The same between double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

/** Inside a function, because a pattern is made when the code around it is loaded, and an idle call escapes nothing. */
function isPlain(text: string): boolean {
  return /^[ !#-%'-;=?-~]*$/.test(text);
}
