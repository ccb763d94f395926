import { UNSEEN } from "./escape.ts";

/** A word that any POSIX shell reads as exactly this text, with its contents visible. */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (new RegExp(`[${UNSEEN}]`, "u").test(text)) return `"$(printf '${octal(text)}')"`;
  return inSingleQuotes(text);
}

/** A shell word that is always quoted, so that a path that gets a space changes nothing else. */
export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path as a word of cmd, and of PowerShell unless it has a space: PowerShell does not run quoted text. */
export function quoteForWindows(path: string): string {
  return /^[\w:\\/.~+-]+$/.test(path) ? path : `"${path}"`;
}

/** Letters, digits and common path characters unchanged, every other byte by its number. */
function octal(text: string): string {
  const units = [...new TextEncoder().encode(text)].map((byte, index) => {
    const character = String.fromCodePoint(byte);
    return /[\w/.]/.test(character) || (character === "-" && index > 0)
      ? character
      : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return units.join("");
}
