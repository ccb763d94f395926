/** The byte order mark that some editors write before UTF-8 text. */
export const BOM = "\uFEFF";

export function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Created on first use: every call loads this file. */
let lossy: TextDecoder | undefined;

/** Bytes as text, keeping a byte order mark; invalid bytes become U+FFFD, by the rule that Rust and browsers share. */
export function lossyText(bytes: Uint8Array): string {
  return (lossy ??= new TextDecoder("utf-8", { ignoreBOM: true })).decode(bytes);
}

/** Removes some characters from the end of a text. Not a regular expression: `/x+$/` starts again at each x inside. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

export function isBlankInRust(text: string): boolean {
  return startInRust(text) === text.length;
}

/** `trim()` as in Rust. Not a regular expression, as above. */
export function trimAsRust(text: string): string {
  const start = startInRust(text);
  let end = text.length;
  while (end > start && isWhiteInRust(text[end - 1])) end--;
  return text.slice(start, end);
}

/** The position of the first character that is not white space; all white space is in the basic plane. */
function startInRust(text: string): number {
  let start = 0;
  while (start < text.length && isWhiteInRust(text[start])) start++;
  return start;
}

/** Where JavaScript has U+FEFF, Rust has U+0085. */
function isWhiteInRust(character = ""): boolean {
  return /^\p{White_Space}$/u.test(character);
}
