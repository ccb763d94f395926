/** The byte order mark that some editors write before UTF-8 text. */
export const BOM = "\uFEFF";

export function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Its length in bytes. */
export const BOM_BYTES = 3;

export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Created on first use: every call loads this file. */
let lossy: TextDecoder | undefined;

/** Bytes as text, keeping a byte order mark; invalid bytes become U+FFFD, by the rule that Rust and browsers share. */
export function lossyText(bytes: Uint8Array): string {
  return (lossy ??= new TextDecoder("utf-8", { ignoreBOM: true })).decode(bytes);
}

/** Bytes as text, keeping a byte order mark; undefined if they are not UTF-8. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The longest prefix of at most `limit` bytes that does not end inside a UTF-8 character. */
export function characterBoundary(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let end = limit;
  // At most three continuation bytes belong to one character; more of them are not UTF-8, and are left as they are.
  while (end > 0 && limit - end < 3 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return ((bytes[end] as number) & 0xc0) === 0x80 ? limit : end;
}

/** Whether a text has only white space, all of it visible. */
export function isBlank(bytes: Uint8Array, sizeBytes: number): boolean {
  return bytes.length >= sizeBytes && !isGraphic(bytes[0]) && new TextDecoder().decode(bytes).trim() === "";
}

/** A visible ASCII character: as the first byte it settles the question. */
function isGraphic(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}

/** `a, b or c` */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** `1 file`, `2 files` */
export function counted(count: number, noun: string, written: (count: number) => string = String): string {
  return `${written(count)} ${noun}${count === 1 ? "" : "s"}`;
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

/** `12,345` */
export function withThousands(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
