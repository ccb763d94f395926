import { arithmeticEnd, giveUp, goDeeper, innerCursor, readScope, type Cursor } from "./shell-cursor.ts";
import { GIT_ROOT, type Word, type WordPart } from "./shell-steps.ts";

const UNKNOWN: WordPart = { kind: "unknown" };

/** Substitutions of which we know what they give. */
const KNOWN_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["pwd", "PWD"],
  ["git rev-parse --show-toplevel", GIT_ROOT],
  ["git rev-parse --show-toplevel 2>/dev/null", GIT_ROOT],
]);

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
  const known = KNOWN_COMMANDS.get(inside.trim());
  if (known !== undefined) parts.push({ kind: "variable", name: known, isQuoted: true });
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
  for (const [command, name] of KNOWN_COMMANDS) {
    if (!text.startsWith(`${command})`, cursor.at + 2)) continue;
    parts.push({ kind: "variable", name, isQuoted });
    cursor.at += command.length + 3;
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

/** `${name}` is a variable, `${name[@]}` and `${name:-default}` too; what its like give is not known, but can hold commands. */
function readBraces(cursor: Cursor, parts: WordPart[], isQuoted: boolean): void {
  const { text } = cursor;
  const start = cursor.at + 2;
  let end = start;
  while (isNameCode(text.charCodeAt(end), true)) end++;
  const name = text.slice(start, end);
  if (name !== "") end = indexEnd(text, end);
  if (name !== "" && text[end] === "}") {
    parts.push({ kind: "variable", name, isQuoted });
    cursor.at = end + 1;
    return;
  }
  const signLength = name === "" ? 0 : defaultSign(text, end);
  cursor.at = Math.min(end + signLength, text.length);
  goDeeper(cursor);
  const inside = readBracesWord(cursor, isQuoted);
  parts.push(signLength > 0 ? { kind: "variable", name, isQuoted, fallback: inside } : UNKNOWN);
}

/** Up to and with the bracket that closes. */
function readBracesWord(cursor: Cursor, isQuoted: boolean): Word {
  const { text } = cursor;
  const parts: WordPart[] = [];
  const kind = isQuoted ? "quoted" : "plain";
  let start = cursor.at;
  while (cursor.at < text.length) {
    const char = text[cursor.at] as string;
    if (!"}$`'\"\\".includes(char) || (char === "'" && isQuoted)) {
      cursor.at++;
      continue;
    }
    if (cursor.at > start) parts.push({ kind, text: text.slice(start, cursor.at) });
    if (char === "}") {
      cursor.at++;
      cursor.depth--;
      return parts;
    }
    if (char === "$") readDollar(cursor, parts, isQuoted);
    else if (char === "`") readBackticks(cursor, parts);
    else if (char === "'") {
      const close = text.indexOf("'", cursor.at + 1);
      if (close === -1) break;
      parts.push({ kind: "quoted", text: text.slice(cursor.at + 1, close) });
      cursor.at = close + 1;
    } else if (char === '"') cursor.at++;
    else {
      parts.push({ kind: "quoted", text: text.slice(cursor.at + 1, cursor.at + 2) });
      cursor.at += 2;
    }
    start = cursor.at;
  }
  giveUp(cursor);
  return parts;
}

/** Behind `[@]`, `[*]`, `[0]`, `[$i]`: all that the variable holds stands for each of its fields. */
function indexEnd(text: string, at: number): number {
  if (text[at] !== "[") return at;
  let end = at + 1;
  while (isNameCode(text.charCodeAt(end), true) || "@*$-".includes(text[end] ?? " ")) end++;
  return text[end] === "]" ? end + 1 : at;
}

/** How long the sign is before what an unset variable stands for: `:-`, `-`, `:=` and `=`. */
function defaultSign(text: string, at: number): number {
  const sign = text[at] === ":" ? at + 1 : at;
  return text[sign] === "-" || text[sign] === "=" ? sign + 1 - at : 0;
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
