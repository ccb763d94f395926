import { giveUp, type Cursor } from "./shell-cursor.ts";
import { readBackticks, readDollar } from "./shell-expansion.ts";
import type { Word, WordPart } from "./shell-steps.ts";

/** One word with its quotes gone. It begins here: whoever calls has skipped blanks and seen no operator. */
export function readWord(cursor: Cursor): Word {
  const { text } = cursor;
  const parts: WordPart[] = [];
  let start = cursor.at;
  while (cursor.at < text.length) {
    switch (text[cursor.at]) {
      case " ":
      case "\t":
      case "\n":
      case ";":
      case "&":
      case "|":
      case "<":
      case ">":
      case ")":
        addPlain(parts, text, start, cursor.at);
        return parts;
      case "\r":
        if (text[cursor.at + 1] === "\n") {
          addPlain(parts, text, start, cursor.at);
          return parts;
        }
        cursor.at++;
        break;
      case "(":
        addPlain(parts, text, start, cursor.at);
        if (cursor.at === start || !"?*+@!".includes(text[cursor.at - 1] as string)) return parts;
        skipPattern(cursor, parts);
        start = cursor.at;
        break;
      case "'":
        addPlain(parts, text, start, cursor.at);
        readSingleQuotes(cursor, parts);
        start = cursor.at;
        break;
      case '"':
        addPlain(parts, text, start, cursor.at);
        readDoubleQuotes(cursor, parts);
        start = cursor.at;
        break;
      case "\\":
        addPlain(parts, text, start, cursor.at);
        readEscape(cursor, parts);
        start = cursor.at;
        break;
      case "`":
        addPlain(parts, text, start, cursor.at);
        readBackticks(cursor, parts);
        start = cursor.at;
        break;
      case "$":
        addPlain(parts, text, start, cursor.at);
        if (text[cursor.at + 1] === '"') {
          cursor.at++;
          readDoubleQuotes(cursor, parts);
        } else readDollar(cursor, parts, false);
        start = cursor.at;
        break;
      default:
        cursor.at++;
    }
  }
  addPlain(parts, text, start, cursor.at);
  return parts;
}

/** The text of a word that is nothing but plain text: a keyword, a name, a number. */
export function plainText(word: Word): string | undefined {
  const part = word[0];
  return word.length === 1 && part?.kind === "plain" ? part.text : undefined;
}

function addPlain(parts: WordPart[], text: string, start: number, end: number): void {
  if (end > start) parts.push({ kind: "plain", text: text.slice(start, end) });
}

function readSingleQuotes(cursor: Cursor, parts: WordPart[]): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end === -1) return giveUp(cursor);
  parts.push({ kind: "quoted", text: cursor.text.slice(cursor.at + 1, end) });
  cursor.at = end + 1;
}

function readEscape(cursor: Cursor, parts: WordPart[]): void {
  const next = cursor.text[cursor.at + 1];
  if (next !== undefined && next !== "\n") parts.push({ kind: "quoted", text: next });
  cursor.at = Math.min(cursor.at + 2, cursor.text.length);
}

function readDoubleQuotes(cursor: Cursor, parts: WordPart[]): void {
  const { text } = cursor;
  cursor.at++;
  let known = "";
  let start = cursor.at;
  const before = parts.length;
  while (cursor.at < text.length) {
    const char = text[cursor.at];
    if (char === '"') {
      known += text.slice(start, cursor.at);
      // An empty string is a word too.
      if (known !== "" || parts.length === before) parts.push({ kind: "quoted", text: known });
      cursor.at++;
      return;
    }
    if (char === "\\") {
      const next = text[cursor.at + 1];
      if (next !== undefined && '$`"\\\n'.includes(next)) {
        known += text.slice(start, cursor.at) + (next === "\n" ? "" : next);
        start = cursor.at + 2;
      }
      cursor.at += 2;
    } else if (char === "$" || char === "`") {
      known += text.slice(start, cursor.at);
      if (known !== "") parts.push({ kind: "quoted", text: known });
      known = "";
      if (char === "$") readDollar(cursor, parts, true);
      else readBackticks(cursor, parts);
      start = cursor.at;
    } else cursor.at++;
  }
  giveUp(cursor);
}

/** `!(a|b)`: whatever it matches, what follows isn't known. */
function skipPattern(cursor: Cursor, parts: WordPart[]): void {
  const end = cursor.text.indexOf(")", cursor.at);
  if (end === -1) return giveUp(cursor);
  parts.push({ kind: "plain", text: "*" });
  cursor.at = end + 1;
}
