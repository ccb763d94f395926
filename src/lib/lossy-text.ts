const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes as text, a byte order mark kept; invalid ones become U+FFFD, by the rule that Rust and browsers share. */
export function lossyText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** What Rust calls white space, where JavaScript has U+FEFF in the place of U+0085. */
const WHITE_SPACE = /^\p{White_Space}$/u;

export function isBlankInRust(text: string): boolean {
  return startOf(text) === text.length;
}

/** Not by an expression: one for the end begins again at each blank inside. */
export function trimAsRust(text: string): string {
  const start = startOf(text);
  let end = text.length;
  while (end > start && WHITE_SPACE.test(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

/** Where the first character stands that is no white space, all of which is in the basic plane. */
function startOf(text: string): number {
  let start = 0;
  while (start < text.length && WHITE_SPACE.test(text[start] as string)) start++;
  return start;
}
