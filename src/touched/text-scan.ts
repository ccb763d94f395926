/** Where the first of some characters stands; -1 without one. A pattern's first use costs more than this loop. */
export function indexOfAny(text: string, characters: string): number {
  for (let index = 0; index < text.length; index++) if (characters.includes(text[index] as string)) return index;
  return -1;
}

export function hasAny(text: string, characters: string): boolean {
  return indexOfAny(text, characters) !== -1;
}

/** Whether an address begins with a scheme: `https://…`. */
export function hasScheme(text: string): boolean {
  const colon = text.indexOf("://");
  return colon > 1 && !hasAny(text.slice(0, colon), "/ .\n");
}
