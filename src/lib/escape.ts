/**
 * Characters that a reader can't see, or that change how others are seen, as a class of regular expressions: control,
 * format (bidi, zero-width, tag), line and paragraph separators, fillers.
 */
export const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0`;
/** Those, and what XML can't hold. Large classes take their time to compile, and most names need none of it. */
let invisible: RegExp | undefined;
let unprintable: RegExp | undefined;

/** A name or a sentence for a person, on one line: what can't be seen is shown as `\u{…}`. Nor does a CI obey it. */
export function visible(text: string): string {
  return isPlain(text) ? text : unmarked(inElement(text), shown);
}

/** The same of several lines. */
export function printable(text: string): string {
  unprintable ??= unprintableCharacters();
  return unmarked(text.replace(unprintable, shown), shown);
}

/** What `--json` prints: a value on one line. */
export function jsonLine(value: unknown): string {
  return `${jsonText(value)}\n`;
}

/**
 * JSON with what can't be seen as `\u…`: the same data, in which no terminal finds an escape, no reader of lines an end
 * of one, and no CI a command.
 */
export function jsonText(value: unknown): string {
  unprintable ??= unprintableCharacters();
  return unmarked(JSON.stringify(value).replace(unprintable, asUnits), asUnits);
}

/** A name as an element of ours holds it, before its markup is escaped. */
export function inElement(text: string): string {
  invisible ??= new RegExp(String.raw`[${UNSEEN}\p{Cs}\uFFFE\uFFFF]`, "gu");
  return text.replace(invisible, shown);
}

/** A name, path or description inside our elements: visible, and nothing in it is markup. */
export function escapeText(text: string): string {
  if (isPlain(text)) return text;
  return inElement(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The same between double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

function unprintableCharacters(): RegExp {
  return new RegExp(`(?![\\n\\t])[${UNSEEN}]`, "gu");
}

/** GitHub and Azure obey commands that stand anywhere in a line: `##[error]`, `##vso[task.complete]`. */
function unmarked(text: string, show: (character: string) => string): string {
  return text.includes("##") ? text.replaceAll(/#(?=#\w*\[)/g, show) : text;
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function asUnits(character: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

/** Inside a function, because a pattern is made when the code around it is loaded, and an idle call escapes nothing. */
function isPlain(text: string): boolean {
  return /^[ !$%'-;=?-~]*$/.test(text);
}
