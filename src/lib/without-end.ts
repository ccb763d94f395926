/** A text without some characters at its end. Not by an expression: `/x+$/` begins again at each x inside. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
