import {
  beginContainer,
  CODE_INDENT,
  continueContainers,
  indentOf,
  isBlankLine,
  isThematicBreak,
  lineAt,
  type Container,
  type Line,
} from "./markdown-containers.ts";

/** A stretch of a text, by its offsets. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

export interface Blocks {
  /** Paragraphs, headings, rows of tables. */
  readonly prose: readonly Block[];
  /** Fenced and indented code. */
  readonly code: readonly Block[];
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly start: number;
}

/** HTML that is read to an end of its own: comments, scripts, what is shown as it is written. */
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
 * The prose of a Markdown text, as CommonMark reads it. Left out are fenced and indented code, because examples name
 * files that need not be there, and raw HTML with an end of its own; what stands between other tags is for readers too.
 * Takes time in proportion to the text, whatever it holds.
 */
export function proseBlocks(text: string, from: number): readonly Block[] {
  return readBlocks(text, from).prose;
}

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

  /** Whether the line belongs to a fence or to raw HTML that was open before it. */
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

  for (let start = from === 0 && text.startsWith("\uFEFF") ? 1 : from; start < text.length;) {
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
      // A paragraph goes on without the marks of what it stands in.
      if (depth < containers.length && (open === undefined || interrupts(text, line))) leaveFrom(depth);
      readLeaf(line);
    }
  }
  close();
  if (fence !== undefined) code.push({ start: fence.start, end: text.length });
  return { prose, code };
}

/** Whether a line can't be the next one of a paragraph. */
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
