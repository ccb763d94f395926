import { innerCursor, type Cursor } from "./shell-cursor.ts";
import { readBackticks, readDollar } from "./shell-expansion.ts";
import type { Word } from "./shell-steps.ts";

/** The lines that the line just ended has announced. One without its end takes the rest, as in a shell. */
export function readHeredocs(cursor: Cursor): void {
  for (const { delimiter, stripsTabs, isQuoted, heredoc } of cursor.heredocs) {
    const body = readBody(cursor, delimiter, stripsTabs);
    heredoc.body = body;
    if (!isQuoted && (body.includes("$(") || body.includes("`"))) readExpansions(cursor, body);
  }
  cursor.heredocs.length = 0;
}

/** What a delimiter is without its quotes; quotes anywhere in it keep its lines from being expanded. */
export function delimiterOf(word: Word): { delimiter: string; isQuoted: boolean } {
  let delimiter = "";
  let isQuoted = false;
  for (const part of word) {
    if (part.kind === "quoted") isQuoted = true;
    if (part.kind === "plain" || part.kind === "quoted") delimiter += part.text;
  }
  return { delimiter, isQuoted };
}

function readBody(cursor: Cursor, delimiter: string, stripsTabs: boolean): string {
  const { text } = cursor;
  const start = cursor.at;
  while (cursor.at < text.length) {
    const line = cursor.at;
    const newline = text.indexOf("\n", line);
    const end = newline === -1 ? text.length : newline;
    cursor.at = newline === -1 ? end : end + 1;
    let from = line;
    if (stripsTabs) while (text[from] === "\t") from++;
    const to = text[end - 1] === "\r" ? end - 1 : end;
    if (to - from === delimiter.length && text.startsWith(delimiter, from)) return text.slice(start, line);
  }
  return text.slice(start);
}

/** A text with a lone backtick is no reason to know nothing about the rest. */
function readExpansions(cursor: Cursor, body: string): void {
  const inner = innerCursor(cursor, body, []);
  while (inner.at < body.length) {
    const char = body[inner.at];
    if (char === "$") readDollar(inner, [], true);
    else if (char === "`") readBackticks(inner, []);
    else inner.at += char === "\\" ? 2 : 1;
  }
  if (inner.hasFailed) return;
  for (const step of inner.steps) cursor.steps.push(step);
}
