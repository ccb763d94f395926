/** Whether a text says nothing: only white space, all of it seen. */
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

/** A text without some characters at its end. Not by an expression: `/x+$/` begins again at each x inside. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
