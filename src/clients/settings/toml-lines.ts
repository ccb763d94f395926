// Blocks of ours in a TOML file: a line that says whose it is, a table's header, and its keys.

/** The text with a block behind it. The line before the block records how the file ended. */
export function withBlock(text: string | undefined, block: string): string {
  return text === undefined ? block : `${text}\n${block}`;
}

/**
 * The text without the table whose header is in a line, and without the mark before it. If nobody has changed the text
 * since the block was added, these are its former bytes; undefined if there was no file.
 */
export function withoutBlock(text: string, header: number, mark: string): string | undefined {
  const lines = text.split("\n");
  const from = lines[header - 1] === mark ? header - 1 : header;
  const isEnd = (line: string) => line.trim() === "" || /^\s*[#[]/.test(line);
  const end = lines.findIndex((line, index) => index > header && isEnd(line));
  // Someone who added to the file since left a blank line before the addition.
  const isBlank = end >= 0 && lines[end]?.trim() === "" && end < lines.length - 1;
  const rest = end < 0 ? "" : lines.slice(isBlank ? end + 1 : end).join("\n");
  if (from === 0) return rest === "" ? undefined : rest;
  // The text before it ended with a line end only if there is a blank line now.
  const before = lines.slice(0, from).join("\n");
  return rest === "" ? before : `${before}\n${rest}`;
}
