// The header of a rule: lines between `---` at its start.

export function headerOf(text: string): string {
  return text.slice(0, text.length - withoutHeader(text).length);
}

export function withoutHeader(text: string): string {
  if (!text.startsWith("---\n")) return text;
  const end = text.indexOf("\n---", 3);
  return end < 0 ? text : text.slice(text.indexOf("\n", end + 1) + 1 || text.length);
}
