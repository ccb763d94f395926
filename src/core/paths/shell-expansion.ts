import { arithmeticEnd, giveUp, goDeeper, innerCursor, readScope, type Cursor } from "./shell-cursor.ts";
import type { WordPart } from "./shell-steps.ts";

const UNKNOWN: WordPart = { kind: "unknown" };

/** What a `$` begins, in double quotes or outside; a dollar that begins nothing is one. */
export function readDollar(cursor: Cursor, parts: WordPart[], isQuoted: boolean): void {
  const { text } = cursor;
  const next = text[cursor.at + 1];
  if (next === "(") return readSubstitution(cursor, parts, isQuoted);
  if (next === "{") return readBraces(cursor, parts, isQuoted);
  if (next === "'" && !isQuoted) return readAnsiQuotes(cursor, parts);
  const end = nameEnd(text, cursor.at + 1);
  if (end > cursor.at + 1) {
    parts.push({ kind: "variable", name: text.slice(cursor.at + 1, end), isQuoted });
    cursor.at = end;
  } else if (next !== undefined && "@*#?$!-0123456789".includes(next)) {
    parts.push(UNKNOWN);
    cursor.at += 2;
  } else {
    parts.push({ kind: "quoted", text: "$" });
    cursor.at++;
  }
}

/** The commands between backticks, where backslashes protect backticks of the next level. */
export function readBackticks(cursor: Cursor, parts: WordPart[]): void {
  const { text } = cursor;
  let end = cursor.at + 1;
  while (end < text.length && text[end] !== "`") end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) return giveUp(cursor);
  const inside = text.slice(cursor.at + 1, end);
  if (inside.trim() === "pwd") parts.push({ kind: "variable", name: "PWD", isQuoted: true });
  else {
    parts.push(UNKNOWN);
    const commands = inside.includes("\\") ? inside.replaceAll(/\\([$`\\])/g, "$1") : inside;
    if (!readInside(cursor, commands)) return giveUp(cursor);
  }
  cursor.at = end + 1;
}

function readInside(cursor: Cursor, commands: string): boolean {
  const inner = innerCursor(cursor, commands, cursor.steps);
  inner.steps.push({ kind: "scope", opens: true });
  inner.readCommands(inner, "end");
  inner.steps.push({ kind: "scope", opens: false });
  return !inner.hasFailed;
}

function readSubstitution(cursor: Cursor, parts: WordPart[], isQuoted: boolean): void {
  const { text } = cursor;
  if (text.startsWith("$(pwd)", cursor.at)) {
    parts.push({ kind: "variable", name: "PWD", isQuoted });
    cursor.at += 6;
    return;
  }
  parts.push(UNKNOWN);
  if (text[cursor.at + 2] === "(") {
    const end = arithmeticEnd(text, cursor.at + 3);
    if (end === undefined) return giveUp(cursor);
    if (end !== -1) {
      cursor.at = end;
      return;
    }
  }
  cursor.at += 2;
  readScope(cursor);
}

/** `${name}` is a variable; what `${name:-…}` and its like give is not known, but they can hold commands. */
function readBraces(cursor: Cursor, parts: WordPart[], isQuoted: boolean): void {
  const { text } = cursor;
  const end = nameEnd(text, cursor.at + 2);
  if (end > cursor.at + 2 && text[end] === "}") {
    parts.push({ kind: "variable", name: text.slice(cursor.at + 2, end), isQuoted });
    cursor.at = end + 1;
    return;
  }
  parts.push(UNKNOWN);
  goDeeper(cursor);
  if (!cursor.hasFailed) cursor.at += 2;
  const ignored: WordPart[] = [];
  while (cursor.at < text.length) {
    const char = text[cursor.at];
    if (char === "}") {
      cursor.at++;
      cursor.depth--;
      return;
    }
    if (char === "$") readDollar(cursor, ignored, isQuoted);
    else if (char === "`") readBackticks(cursor, ignored);
    else if (char === "'" && !isQuoted) {
      const close = text.indexOf("'", cursor.at + 1);
      if (close === -1) return giveUp(cursor);
      cursor.at = close + 1;
    } else cursor.at += char === "\\" ? 2 : 1;
  }
  giveUp(cursor);
}

function readAnsiQuotes(cursor: Cursor, parts: WordPart[]): void {
  const { text } = cursor;
  let known = "";
  let start = cursor.at + 2;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "'") {
      parts.push({ kind: "quoted", text: known + text.slice(start, index) });
      cursor.at = index + 1;
      return;
    }
    if (text[index] !== "\\") continue;
    known += text.slice(start, index) + unescaped(text[index + 1]);
    index++;
    start = index + 1;
  }
  giveUp(cursor);
}

/** Numeric escapes are not worth the code: the character itself keeps the word from being a wrong path. */
function unescaped(char: string | undefined): string {
  if (char === undefined) return "";
  if (char === "n") return "\n";
  return char === "t" ? "\t" : char;
}

function nameEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isNameCode(text.charCodeAt(end), end > at)) end++;
  return end;
}

/** Of a shell variable: letters, the underscore, and digits behind them. */
export function isNameCode(code: number, isBehind: boolean): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) return true;
  return isBehind && code >= 48 && code <= 57;
}
