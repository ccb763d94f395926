import { BOM } from "../text.ts";
/** A range of a text, by offsets. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

export interface Blocks {
  /** Paragraphs, headings, table rows. */
  readonly prose: readonly Block[];
  /** Fenced and indented code. */
  readonly code: readonly Block[];
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly start: number;
}

/** HTML that continues to a closing mark of its own: comments, scripts, preformatted text. */
const RAW: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/<!--/y, /-->/],
  [/<(?:script|pre|style|textarea)(?=[\s>])/iy, /<\/(?:script|pre|style|textarea)>/i],
  [/<\?/y, /\?>/],
  [/<!\[CDATA\[/y, /\]\]>/],
  [/<![A-Za-z]/y, />/],
];

const HEADING = /#{1,6}(?=\s|$)/y;

const UNDERLINE = /=+[ \t\r]*$/my;

/**
 * The prose and the code of a Markdown text, by the rules of CommonMark. Raw HTML with a closing mark of its own is
 * neither; text between other tags is prose. Takes linear time for any text.
 */
export function readBlocks(text: string, from: number): Blocks {
  const prose: Block[] = [];
  const code: Block[] = [];
  const containers: Container[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: Fence | undefined;
  let rawEnd: RegExp | undefined;

  function close(): void {
    if (open !== undefined) prose.push(open);
    open = undefined;
  }

  function leaveFrom(depth: number): void {
    close();
    containers.length = depth;
  }

  /** Whether the line belongs to an open fence or raw HTML. */
  function goesOn(line: Line, isInside: boolean): boolean {
    if (fence !== undefined) {
      const isEnd = !isInside || closes(text, line, fence);
      if (isEnd) {
        code.push({ start: fence.start, end: isInside ? line.end : line.start });
        fence = undefined;
      }
      return isInside;
    }
    if (rawEnd === undefined) return false;
    if (!isInside || rawEnd.test(text.slice(line.at, line.end))) rawEnd = undefined;
    return isInside;
  }

  function readLeaf(line: Line): void {
    const { at, start, end } = line;
    if (indentOf(line) >= CODE_INDENT && open === undefined) {
      code.push({ start, end });
      return;
    }
    const isIndented = indentOf(line) >= CODE_INDENT;
    fence = isIndented ? undefined : opensFence(text, line);
    const raw = isIndented ? undefined : RAW.find(([begin]) => matchesAt(begin, text, at));
    if (fence !== undefined || raw !== undefined) {
      close();
      if (raw !== undefined && !raw[1].test(text.slice(at, end))) rawEnd = raw[1];
      return;
    }
    const isHeading = !isIndented && matchesAt(HEADING, text, at);
    if (isHeading || text[at] === "|") close();
    open = { start: open?.start ?? at, end };
    if (isHeading || isThematicBreak(text, line) || matchesAt(UNDERLINE, text, at)) close();
  }

  for (let start = from === 0 && text.startsWith(BOM) ? 1 : from; start < text.length;) {
    const line = lineAt(text, start);
    start = line.end;
    let depth = continueContainers(text, line, containers);
    if (goesOn(line, depth === containers.length)) continue;
    for (;;) {
      const isInParagraph = open !== undefined && depth === containers.length;
      const begun = beginContainer(text, line, depth, isInParagraph);
      if (begun === undefined) break;
      leaveFrom(depth++);
      containers.push(begun);
    }
    if (isBlankLine(text, line)) leaveFrom(depth);
    else {
      // A paragraph continues without the marks of its containers.
      if (depth < containers.length && (open === undefined || interrupts(text, line))) leaveFrom(depth);
      readLeaf(line);
    }
  }
  close();
  if (fence !== undefined) code.push({ start: fence.start, end: text.length });
  return { prose, code };
}

/** Whether a line can't continue a paragraph. */
function interrupts(text: string, line: Line): boolean {
  if (indentOf(line) >= CODE_INDENT) return false;
  return (
    isThematicBreak(text, line) ||
    matchesAt(HEADING, text, line.at) ||
    opensFence(text, line) !== undefined ||
    RAW.some(([begin]) => matchesAt(begin, text, line.at))
  );
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function opensFence(text: string, { at, end, start }: Line): Fence | undefined {
  const mark = text[at] ?? "";
  if (mark !== "`" && mark !== "~") return undefined;
  const length = runLength(text, at);
  if (length < 3 || (mark === "`" && text.slice(at + length, end).includes("`"))) return undefined;
  return { mark, length, start };
}

function closes(text: string, line: Line, fence: Fence): boolean {
  const { at, end } = line;
  if (text[at] !== fence.mark || indentOf(line) >= CODE_INDENT) return false;
  const length = runLength(text, at);
  return length >= fence.length && text.slice(at + length, end).trim() === "";
}

function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end - at;
}

/** The position within a line: offsets, and columns with tabs expanded. */
interface Line {
  readonly start: number;
  readonly end: number;
  /** The first non-blank character after the marks of the open containers. */
  at: number;
  column: number;
  /** The column in which the text of the innermost container begins. */
  base: number;
}

/** A quote, or a list item, whose lines begin in its text's column. */
type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly width: number };

/** The maximum nesting of quotes and lists, which bounds how often a line is examined. */
const MAX_DEPTH = 64;

const TAB = 4;

/** From this indentation on, a line is code and not a mark. */
const CODE_INDENT = 4;

function lineAt(text: string, start: number): Line {
  const feed = text.indexOf("\n", start);
  const end = feed < 0 ? text.length : feed + 1;
  const line = { start, end, at: start, column: 0, base: 0 };
  skipBlanks(text, line);
  return line;
}

function isBlankLine(text: string, { at, end }: Line): boolean {
  return at >= end || text[at] === "\n";
}

function indentOf({ column, base }: Line): number {
  return column - base;
}

/** How many of the open containers continue in a line; moves past their marks. */
function continueContainers(text: string, line: Line, open: readonly Container[]): number {
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
 * The container that begins in a line; moves past its mark.
 *
 * @param isInParagraph an empty item, or a number other than 1, then belongs to the paragraph
 */
function beginContainer(text: string, line: Line, depth: number, isInParagraph: boolean): Container | undefined {
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
function isThematicBreak(text: string, { at, end }: Line): boolean {
  const mark = text[at] ?? "";
  if (!"-*_".includes(mark)) return false;
  let count = 0;
  for (let index = at; index < end; index++) {
    if (text[index] === mark) count++;
    else if (!" \t\r\n".includes(text[index] as string)) return false;
  }
  return count >= 3;
}

/** The blank after the mark belongs to it. */
function enterQuote(text: string, line: Line): void {
  line.at++;
  line.column++;
  line.base = line.column + (" \t".includes(text[line.at] ?? "\n") ? 1 : 0);
  skipBlanks(text, line);
}

/** The length of a list item's mark, or 0. */
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
