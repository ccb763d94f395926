/**
 * Invisible characters, and those that change how others look, as a class of regular expressions: control, format (bidi,
 * zero-width, tag), line and paragraph separators, fillers.
 */
export const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0`;
/** Those, and what XML can't contain. Compiled on first use: most names don't need it. */
let invisible: RegExp | undefined;
let unprintable: RegExp | undefined;

/** A name or a sentence on one line, with invisible characters as `\u{…}` and CI commands disarmed. */
export function visible(text: string): string {
  return isPlain(text) ? text : unmarked(inElement(text), shown);
}

/** The same for several lines. */
export function printable(text: string): string {
  unprintable ??= unprintableCharacters();
  return unmarked(text.replace(unprintable, shown), shown);
}

/** A value on one line, as `--json` prints it. */
export function jsonLine(value: unknown): string {
  return `${jsonText(value)}\n`;
}

/**
 * JSON with invisible characters as `\u…`: the same data, but without escape sequences for a terminal, line ends within
 * a line, or commands for a CI.
 */
export function jsonText(value: unknown): string {
  unprintable ??= unprintableCharacters();
  return unmarked(JSON.stringify(value).replace(unprintable, asUnits), asUnits);
}

/** A name inside one of our elements, before its markup is escaped. */
export function inElement(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
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

/** GitHub and Azure obey commands anywhere in a line: `##[error]`, `##vso[task.complete]`. */
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

function isPlain(text: string): boolean {
  return /^[ !$%'-;=?-~]*$/.test(text);
}
