/** A stretch of prose: offsets of a paragraph, a heading, a list item or a row of a table. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Where its text begins, behind indentation and the marks of quotes and lists. */
  readonly at: number;
  readonly indent: number;
  readonly isQuoted: boolean;
  readonly isItem: boolean;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly isQuoted: boolean;
}

/**
 * The prose of a Markdown text. Left out are fenced and indented code, because examples name files that need not be
 * there, and comments that begin a line. Takes time in proportion to the text, whatever it holds.
 */
export function proseBlocks(text: string, from: number): Block[] {
  const blocks: Block[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: Fence | undefined;
  let isComment = false;
  let isCode = false;
  let isList = false;
  let isAfterBlank = true;

  function close(): void {
    if (open !== undefined) blocks.push(open);
    open = undefined;
  }

  for (let start = from; start < text.length;) {
    const line = readLine(text, start);
    start = line.end;
    if (isComment) {
      isComment = !text.slice(line.start, line.end).includes("-->");
      continue;
    }
    if (fence?.isQuoted === true && !line.isQuoted) fence = undefined;
    if (fence !== undefined) {
      if (closes(text, line, fence)) fence = undefined;
      continue;
    }
    const content = text.slice(line.at, line.end);
    if (content.trim() === "") {
      close();
      isAfterBlank = true;
      continue;
    }
    fence = opensFence(content, line.isQuoted);
    isCode = line.indent >= 4 && !isList && !line.isQuoted && (isAfterBlank || isCode);
    isComment = content.startsWith("<!--") && !content.includes("-->");
    const isLeftOut = fence !== undefined || isCode || content.startsWith("<!--");
    if (isLeftOut || line.isItem || content.startsWith("|") || content.startsWith("#")) close();
    if (!isLeftOut) open = { start: open?.start ?? line.at, end: line.end };
    if (content.startsWith("#")) close();
    if (line.isItem) isList = true;
    else if (line.indent === 0 && isAfterBlank) isList = false;
    isAfterBlank = false;
  }
  close();
  return blocks;
}

function readLine(text: string, start: number): Line {
  const feed = text.indexOf("\n", start);
  const end = feed < 0 ? text.length : feed + 1;
  let at = start;
  let indent = 0;
  let isQuoted = false;
  let isItem = false;
  for (; at < end; at++) {
    const unit = text[at];
    if (unit === " " || unit === "\t") indent += isQuoted || isItem ? 0 : unit === "\t" ? 4 : 1;
    else if (unit === ">" && !isItem) isQuoted = true;
    else {
      const mark = isItem ? 0 : itemMark(text, at, end);
      if (mark === 0) break;
      isItem = true;
      at += mark - 1;
    }
  }
  return { start, end, at, indent, isQuoted, isItem };
}

/** How long the mark of a list item at an offset is, or 0. */
function itemMark(text: string, at: number, end: number): number {
  let length = 0;
  while (length < 9 && at + length < end && isDigit(text.charCodeAt(at + length))) length++;
  const isMark = length > 0 ? ".)".includes(text[at + length] ?? " ") : "-*+".includes(text[at] ?? " ");
  const next = text[at + length + 1] ?? "\n";
  return isMark && " \t\r\n".includes(next) ? length + 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function opensFence(content: string, isQuoted: boolean): Fence | undefined {
  const mark = content[0] ?? "";
  if (mark !== "`" && mark !== "~") return undefined;
  const length = runLength(content, 0);
  if (length < 3 || (mark === "`" && content.includes("`", length))) return undefined;
  return { mark, length, isQuoted };
}

function closes(text: string, { at, end }: Line, fence: Fence): boolean {
  if (text[at] !== fence.mark) return false;
  const length = runLength(text, at);
  return length >= fence.length && text.slice(at + length, end).trim() === "";
}

function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end - at;
}
