import { UNSEEN } from "./escape.ts";

/** A word that any POSIX shell takes for exactly this text, and that shows what is in it. */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (new RegExp(`[${UNSEEN}]`, "u").test(text)) return `"$(printf '${octal(text)}')"`;
  return inSingleQuotes(text);
}

/** A word of a shell in quotes, whether it needs them or not: a path that gets a space changes nothing else. */
export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Letters, digits and the marks of paths as they are, every other byte by its number. */
function octal(text: string): string {
  const units = [...new TextEncoder().encode(text)].map((byte, index) => {
    const character = String.fromCodePoint(byte);
    return /[\w/.]/.test(character) || (character === "-" && index > 0)
      ? character
      : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return units.join("");
}
