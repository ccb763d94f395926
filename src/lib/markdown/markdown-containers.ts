/** What a line is read in: offsets, and columns as tabs make them. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** The first character that is no blank, behind the marks of what was entered. */
  at: number;
  column: number;
  /** The column in which the text of the innermost container begins. */
  base: number;
}

/** A quote, or an item of a list, whose lines begin in its text's column. */
export type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly width: number };

/** As deep as quotes and lists may stand in each other; it bounds how often a line is looked at. */
const MAX_DEPTH = 64;
const TAB = 4;
/** From here on it is code, not an indented mark. */
export const CODE_INDENT = 4;

export function lineAt(text: string, start: number): Line {
  const feed = text.indexOf("\n", start);
  const end = feed < 0 ? text.length : feed + 1;
  const line = { start, end, at: start, column: 0, base: 0 };
  skipBlanks(text, line);
  return line;
}

export function isBlankLine(text: string, { at, end }: Line): boolean {
  return at >= end || text[at] === "\n";
}

export function indentOf({ column, base }: Line): number {
  return column - base;
}

/** How many of the open containers go on in a line, which is then read to behind their marks. */
export function continueContainers(text: string, line: Line, open: readonly Container[]): number {
  const isBlank = isBlankLine(text, line);
  for (const [index, container] of open.entries()) {
    if (container.kind === "quote") {
      if (isBlank || indentOf(line) >= CODE_INDENT || text[line.at] !== ">") return index;
      enterQuote(text, line);
    } else if (!isBlank) {
      if (indentOf(line) < container.width) return index;
      line.base += container.width;
    }
  }
  return open.length;
}

/**
 * The container that begins in a line, which is then read to behind its mark.
 *
 * @param isInParagraph an empty item, or one that doesn't begin to count, is then a part of the paragraph
 */
export function beginContainer(text: string, line: Line, depth: number, isInParagraph: boolean): Container | undefined {
  if (depth >= MAX_DEPTH || isBlankLine(text, line) || indentOf(line) >= CODE_INDENT) return undefined;
  if (text[line.at] === ">") {
    enterQuote(text, line);
    return { kind: "quote" };
  }
  if (isThematicBreak(text, line)) return undefined;
  const length = itemMark(text, line);
  if (length === 0) return undefined;
  const { at, column } = line;
  const before = indentOf(line);
  line.at += length;
  line.column += length;
  skipBlanks(text, line);
  const isEmpty = isBlankLine(text, line);
  if (isInParagraph && (isEmpty || (length > 1 && text.slice(at, at + length - 1) !== "1"))) {
    Object.assign(line, { at, column });
    return undefined;
  }
  const blanks = line.column - column - length;
  const width = before + length + (isEmpty || blanks > CODE_INDENT ? 1 : blanks);
  line.base += width;
  return { kind: "item", width };
}

/** `---`, `* * *`, `___` */
export function isThematicBreak(text: string, { at, end }: Line): boolean {
  const mark = text[at] ?? "";
  if (!"-*_".includes(mark)) return false;
  let count = 0;
  for (let index = at; index < end; index++) {
    if (text[index] === mark) count++;
    else if (!" \t\r\n".includes(text[index] as string)) return false;
  }
  return count >= 3;
}

/** The blank behind its mark belongs to it. */
function enterQuote(text: string, line: Line): void {
  line.at++;
  line.column++;
  line.base = line.column + (" \t".includes(text[line.at] ?? "\n") ? 1 : 0);
  skipBlanks(text, line);
}

/** How long the mark of a list item is, or 0. */
function itemMark(text: string, { at }: Line): number {
  let length = 0;
  while (length < 9 && isDigit(text.charCodeAt(at + length))) length++;
  const isMark = length > 0 ? ".)".includes(text[at + length] ?? " ") : "-*+".includes(text[at] ?? " ");
  const next = text[at + length + 1] ?? "\n";
  return isMark && " \t\r\n".includes(next) ? length + 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function skipBlanks(text: string, line: Line): void {
  for (; line.at < line.end; line.at++) {
    const unit = text[line.at];
    if (unit === "\t") line.column += TAB - (line.column % TAB);
    else if (unit === " " || unit === "\r") line.column++;
    else return;
  }
}
