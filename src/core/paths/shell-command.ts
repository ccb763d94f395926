import {
  beginLoop,
  endLoop,
  readCase,
  readLoop,
  readTest,
  skipFunctionName,
  skipTimeOption,
} from "./shell-compound.ts";
import { giveUp, readScope, skipArithmetic, skipBlank, type Cursor } from "./shell-cursor.ts";
import { isNameCode } from "./shell-expansion.ts";
import { delimiterOf } from "./shell-heredoc.ts";
import type { Assignment, Heredoc, Redirect, Word, WordPart } from "./shell-steps.ts";
import { plainText, readWord } from "./shell-word.ts";

/** A command that is being put together. */
type Draft = {
  readonly assignments: Assignment[];
  readonly words: Word[];
  readonly redirects: Redirect[];
  readonly heredocs: Heredoc[];
  hereString: Word | undefined;
};

/** One command with its redirections; a compound's keywords are passed over and what they enclose follows as commands. */
export function readCommand(cursor: Cursor, isBehindPipe: boolean): void {
  const { text, steps } = cursor;
  const draft: Draft = { assignments: [], words: [], redirects: [], heredocs: [], hereString: undefined };
  for (;;) {
    skipBlank(cursor);
    const char = text[cursor.at];
    if (char === undefined || char === "\n" || char === ";" || char === "|" || char === ")") break;
    if (char === "&") {
      if (text[cursor.at + 1] !== ">") break;
      cursor.at++;
      readRedirect(cursor, draft);
    } else if (char === "<" || char === ">") readRedirect(cursor, draft);
    else if (char === "(") readBracket(cursor, draft);
    else readNext(cursor, draft);
  }
  if (isEmpty(draft)) return;
  const isPiped = isBehindPipe || (text[cursor.at] === "|" && text[cursor.at + 1] !== "|");
  steps.push({ kind: "command", ...draft, isPiped });
}

function isEmpty({ assignments, words, redirects, heredocs, hereString }: Draft): boolean {
  return words.length + assignments.length + redirects.length + heredocs.length === 0 && hereString === undefined;
}

function readNext(cursor: Cursor, draft: Draft): void {
  const { words, assignments } = draft;
  const word = readWord(cursor);
  const plain = plainText(word);
  const next = cursor.text[cursor.at];
  if ((next === "<" || next === ">") && plain !== undefined && isDescriptor(plain)) return readRedirect(cursor, draft);
  if (words.length > 0) {
    words.push(word);
    return;
  }
  const assigned = assignmentOf(word);
  if (assigned !== undefined) {
    assignments.push(next === "(" && plain?.endsWith("=") ? readArray(cursor, assigned, plain) : assigned);
  } else if (plain === undefined || !readKeyword(cursor, plain)) words.push(word);
}

/** Whether it was one; the shape it opens is then read as far as it isn't made of commands. */
function readKeyword(cursor: Cursor, word: string): boolean {
  switch (word) {
    case "if":
    case "then":
    case "elif":
    case "else":
    case "fi":
    case "do":
    case "{":
    case "}":
    case "!":
      return true;
    case "while":
    case "until":
      beginLoop(cursor);
      return true;
    case "done":
      endLoop(cursor);
      return true;
    case "for":
    case "select":
      readLoop(cursor);
      return true;
    case "case":
      readCase(cursor);
      return true;
    case "[[":
      readTest(cursor);
      return true;
    case "time":
      return skipTimeOption(cursor);
    case "function":
      skipFunctionName(cursor);
      return true;
    default:
      return false;
  }
}

/** A subshell, or the brackets of a function's definition. */
function readBracket(cursor: Cursor, draft: Draft): void {
  const isArithmetic = draft.words.length === 0 && cursor.text[cursor.at + 1] === "(" && skipArithmetic(cursor);
  if (isArithmetic) return;
  const last = draft.words.at(-1)?.at(-1);
  if (draft.words.length > 1 && last?.kind === "plain" && last.text.endsWith("=")) {
    // `declare -a names=(a b)`
    readArray(cursor, { name: "", words: [] }, "=");
    return;
  }
  cursor.at++;
  if (draft.words.length === 0) return readScope(cursor);
  skipBlank(cursor);
  if (draft.words.length > 1 || cursor.text[cursor.at] !== ")") return giveUp(cursor);
  cursor.at++;
  draft.words.length = 0;
  while (cursor.text[cursor.at] === "\n" || cursor.text[cursor.at] === " ") cursor.at++;
}

function assignmentOf(word: Word): Assignment | undefined {
  const first = word[0];
  if (first?.kind !== "plain") return undefined;
  const { text } = first;
  let end = 0;
  while (end < text.length && isNameCode(text.charCodeAt(end), end > 0)) end++;
  if (end === 0) return undefined;
  const equals = text[end] === "+" ? end + 1 : end;
  if (text[equals] !== "=") return undefined;
  const rest = text.slice(equals + 1);
  const value: WordPart[] = rest === "" ? [] : [{ kind: "plain", text: rest }];
  for (let index = 1; index < word.length; index++) value.push(word[index] as WordPart);
  const name = text.slice(0, end);
  if (equals > end) value.unshift({ kind: "variable", name, isQuoted: true });
  return { name, words: [value] };
}

/** `names=(a b)`, or `names+=(c)`, to which belongs what `names` was. */
function readArray(cursor: Cursor, { name, words: before }: Assignment, written: string): Assignment {
  const words: Word[] = written.endsWith("+=") ? [...before] : [];
  cursor.at++;
  for (;;) {
    skipBlank(cursor);
    const char = cursor.text[cursor.at];
    if (char === "\n") cursor.at++;
    else if (char === undefined || ";&|<>(".includes(char)) giveUp(cursor);
    else if (char === ")") {
      cursor.at++;
      break;
    } else words.push(readWord(cursor));
    if (cursor.hasFailed) break;
  }
  return { name, words };
}

/** At `<` or `>`, its descriptor's number already read. */
function readRedirect(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  const isInput = text[cursor.at] === "<";
  const next = text[cursor.at + 1];
  if (next === "(") {
    cursor.at += 2;
    readScope(cursor);
    draft.words.push([{ kind: "quoted", text: "/dev/fd/63" }]);
  } else if (isInput && next === "<") readHere(cursor, draft);
  else if (next === "&") {
    cursor.at += 2;
    const word = readTarget(cursor);
    const plain = word && plainText(word);
    const isCopy =
      plain === undefined || plain === "-" || isDescriptor(plain.endsWith("-") ? plain.slice(0, -1) : plain);
    if (word !== undefined && !isCopy) draft.redirects.push({ access: isInput ? "read" : "write", word });
  } else {
    cursor.at += next === ">" || (next === "|" && !isInput) ? 2 : 1;
    const word = readTarget(cursor);
    if (word !== undefined) draft.redirects.push({ access: isInput && next !== ">" ? "read" : "write", word });
  }
}

function readHere(cursor: Cursor, draft: Draft): void {
  const { text } = cursor;
  if (text[cursor.at + 2] === "<") {
    cursor.at += 3;
    draft.hereString = readTarget(cursor);
    return;
  }
  const stripsTabs = text[cursor.at + 2] === "-";
  cursor.at += stripsTabs ? 3 : 2;
  const word = readTarget(cursor);
  if (word === undefined) return;
  const heredoc: Heredoc = { body: "" };
  draft.heredocs.push(heredoc);
  cursor.heredocs.push({ ...delimiterOf(word), stripsTabs, heredoc });
}

function readTarget(cursor: Cursor): Word | undefined {
  skipBlank(cursor);
  const char = cursor.text[cursor.at];
  if (char === undefined || "\n;&|<>()".includes(char)) {
    // `< <(command)`: there is a command and no file.
    if ((char === "<" || char === ">") && cursor.text[cursor.at + 1] === "(") {
      cursor.at += 2;
      readScope(cursor);
    } else giveUp(cursor);
    return undefined;
  }
  return readWord(cursor);
}

function isDescriptor(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return text !== "";
}
