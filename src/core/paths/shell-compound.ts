import { arithmeticEnd, giveUp, skipBlank, type Cursor } from "./shell-cursor.ts";
import { readHeredocs } from "./shell-heredoc.ts";
import type { Word } from "./shell-steps.ts";
import { plainText, readWord } from "./shell-word.ts";

/** `while` and `until`: a loop whose body is run once. */
export function beginLoop({ steps, at }: Cursor, name = "", words: readonly Word[] = []): void {
  steps.push({ kind: "loop", name, words, at });
}

export function endLoop({ steps, at }: Cursor): void {
  steps.push({ kind: "done", at });
}

/** `for x in a b`, behind its keyword: the body follows as commands. */
export function readLoop(cursor: Cursor): void {
  const { text } = cursor;
  skipBlank(cursor);
  if (text.startsWith("((", cursor.at)) {
    const end = arithmeticEnd(text, cursor.at + 2);
    if (end === undefined || end === -1) return giveUp(cursor);
    cursor.at = end;
    return beginLoop(cursor);
  }
  const name = readOperand(cursor);
  skipLines(cursor);
  const words: Word[] = [];
  if (isAt(cursor, "in")) {
    cursor.at += 2;
    for (;;) {
      skipBlank(cursor);
      const word = readOperand(cursor);
      if (word === undefined) break;
      words.push(word);
    }
  } else words.push([{ kind: "unknown" }]);
  beginLoop(cursor, (name && plainText(name)) ?? "", words);
}

/** `case x in a|b) commands ;; esac`, behind its keyword. */
export function readCase(cursor: Cursor): void {
  const { text } = cursor;
  skipBlank(cursor);
  readOperand(cursor);
  skipLines(cursor);
  if (!isAt(cursor, "in")) return giveUp(cursor);
  cursor.at += 2;
  for (;;) {
    skipLines(cursor);
    if (isAt(cursor, "esac")) {
      cursor.at += 4;
      return;
    }
    if (text[cursor.at] === "(") cursor.at++;
    if (!skipPatterns(cursor)) return giveUp(cursor);
    cursor.readCommands(cursor, "arm");
    if (text[cursor.at] !== ";") continue;
    cursor.at += 2;
    if (text[cursor.at] === "&") cursor.at++;
  }
}

/** `[[ … ]]`, behind its opening: all that a file test names becomes the operands of one command. */
export function readTest(cursor: Cursor): void {
  const words: Word[] = [[{ kind: "plain", text: "[[" }]];
  for (;;) {
    skipLines(cursor);
    const char = cursor.text[cursor.at];
    if (char === undefined) return giveUp(cursor);
    const word = readOperand(cursor);
    if (word === undefined) cursor.at++;
    else if (plainText(word) === "]]") break;
    else words.push(word);
  }
  cursor.steps.push({
    kind: "command",
    assignments: [],
    words,
    redirects: [],
    heredocs: [],
    hereString: undefined,
    isPiped: false,
  });
}

export function skipFunctionName(cursor: Cursor): void {
  skipBlank(cursor);
  readOperand(cursor);
  skipBlank(cursor);
  if (cursor.text.startsWith("()", cursor.at)) cursor.at += 2;
  skipLines(cursor);
}

/** `time -p`; with any other option it is no keyword, but the program of that name. */
export function skipTimeOption(cursor: Cursor): boolean {
  skipBlank(cursor);
  if (isAt(cursor, "-p")) cursor.at += 2;
  return cursor.text[cursor.at] !== "-";
}

function skipPatterns(cursor: Cursor): boolean {
  for (;;) {
    skipBlank(cursor);
    const char = cursor.text[cursor.at];
    if (char === ")") {
      cursor.at++;
      return true;
    }
    if (char === "|") cursor.at++;
    else if (readOperand(cursor) === undefined) return false;
  }
}

function readOperand(cursor: Cursor): Word | undefined {
  const char = cursor.text[cursor.at];
  return char === undefined || "\n;&|<>()".includes(char) ? undefined : readWord(cursor);
}

function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlank(cursor);
    if (cursor.text[cursor.at] !== "\n") return;
    cursor.at++;
    readHeredocs(cursor);
  }
}

function isAt({ text, at }: Cursor, keyword: string): boolean {
  if (!text.startsWith(keyword, at)) return false;
  const next = text[at + keyword.length];
  return next === undefined || " \t\r\n;&|)<>".includes(next);
}
