import type { OpenedFile, ResolvedCommand, Value } from "./shell/state.ts";

/** The part of a command that has been read. */
interface Draft {
  readonly args: Value[];
  readonly files: OpenedFile[];
  readonly input: string[];
  isPiped: boolean;
}

interface Heredoc {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly input: string[];
}

interface Word {
  readonly value: Value;
  /** Without any quotes. */
  readonly isBare: boolean;
  /** The index after it. */
  readonly end: number;
}

/**
 * Reads a simple command line in one pass: words, quotes without expansions, `*`, comments, `&&`, `||`, `|`, `;`,
 * redirections and quoted heredocs. Undefined for everything else, which needs the grammar. A property test compares
 * the two.
 */
export function plainCommands(text: string): readonly ResolvedCommand[] | undefined {
  // The grammar treats both specially.
  if (text.includes("\r") || text.includes("\0")) return undefined;
  const commands: ResolvedCommand[] = [];
  const heredocs: Heredoc[] = [];
  let command: Draft = { args: [], files: [], input: [], isPiped: false };
  // After `&&`, `||` and `|` a command must follow.
  let isOpen = false;
  for (let at = 0; ;) {
    const char = text[at];
    switch (char) {
      case " ":
      case "\t":
        at++;
        continue;
      case "#": {
        const end = text.indexOf("\n", at);
        at = end === -1 ? text.length : end;
        continue;
      }
      case undefined:
      case "\n":
      case ";":
      case "|":
      case "&": {
        const isDouble = (char === "|" || char === "&") && text[at + 1] === char;
        if ((char === "&" && !isDouble) || (char === "|" && text[at + 1] === "&")) return undefined;
        if (command.args.length > 0 || command.files.length > 0) {
          const isPipe = char === "|" && !isDouble;
          command.isPiped ||= isPipe;
          commands.push(command);
          command = { args: [], files: [], input: [], isPiped: isPipe };
          isOpen = isPipe || isDouble;
        } else if (char !== "\n" && (char !== undefined || isOpen)) return undefined;
        if (char === undefined) return heredocs.length === 0 ? commands : undefined;
        at += isDouble ? 2 : 1;
        if (char !== "\n") continue;
        at = readHeredocs(text, at, heredocs);
        if (at === -1) return undefined;
        continue;
      }
      case "<":
      case ">":
        at = readRedirect(text, at, command, heredocs);
        if (at === -1) return undefined;
        continue;
      case "\\":
        if (text[at + 1] === "\n") {
          at += 2;
          continue;
        }
    }
    const word = readWord(text, at);
    if (word === undefined) return undefined;
    const { value, isBare, end } = word;
    at = end;
    // A file descriptor: `2>`.
    if (isBare && (text[at] === "<" || text[at] === ">") && isNumber(value)) continue;
    if (command.args.length === 0 && isSpecialFirst(value.text)) return undefined;
    command.args.push(value);
  }
}

/** Reads a redirection at `<` or `>`. Returns the index after it, or -1 to leave it to the grammar. */
function readRedirect(text: string, start: number, { args, files, input }: Draft, heredocs: Heredoc[]): number {
  const isInput = text[start] === "<";
  let at = start + 1;
  if (text[at] === "&") {
    // `2>&1`
    while (isDigit(text.charCodeAt(at + 1))) at++;
    return text[at] !== "&" && isEnd(text[at + 1]) ? at + 1 : -1;
  }
  const isHeredoc = isInput && text[at] === "<";
  if (isHeredoc || (!isInput && (text[at] === ">" || text[at] === "|"))) at++;
  const stripsTabs = isHeredoc && text[at] === "-";
  if (stripsTabs) at++;
  while (text[at] === " ") at++;
  const word = isEnd(text[at]) ? undefined : readWord(text, at);
  if (word === undefined) return -1;
  const { value, isBare, end } = word;
  if (!isHeredoc) files.push({ value, access: isInput ? "read" : "write" });
  // The body of an unquoted heredoc is expanded; one before its command is rare.
  else if (isBare || value.rest !== "" || args.length === 0) return -1;
  else heredocs.push({ delimiter: value.text, stripsTabs, input });
  return end;
}

/** Reads the bodies of heredocs below their line. Returns the index after them, or -1 if one isn't closed. */
function readHeredocs(text: string, start: number, heredocs: Heredoc[]): number {
  let at = start;
  for (const { delimiter, stripsTabs, input } of heredocs) {
    const begin = at;
    for (let isInside = true; isInside;) {
      if (at >= text.length) return -1;
      const newline = text.indexOf("\n", at);
      const end = newline === -1 ? text.length : newline;
      let from = at;
      if (stripsTabs) while (text[from] === "\t") from++;
      if (end - from === delimiter.length && text.startsWith(delimiter, from)) {
        input.push(text.slice(begin, at));
        isInside = false;
      }
      at = end + 1;
    }
  }
  heredocs.length = 0;
  return at;
}

function readWord(text: string, start: number): Word | undefined {
  let known = "";
  let isBare = true;
  let star = -1;
  for (let at = start; ;) {
    const from = at;
    while (isPlain(text.charCodeAt(at))) at++;
    known += text.slice(from, at);
    const char = text[at];
    if (isEnd(char)) {
      // `export x+=1` appends.
      if (isBare && known.includes("+=")) return undefined;
      const value: Value = star === -1 ? { text: known, rest: "" } : { text: known.slice(0, star), rest: "pattern" };
      return { value, isBare, end: at };
    }
    switch (char) {
      case "'": {
        const end = text.indexOf("'", at + 1);
        if (end === -1) return undefined;
        known += text.slice(at + 1, end);
        at = end + 1;
        isBare = false;
        break;
      }
      case '"': {
        at++;
        for (let begin = at; ; at++) {
          const inside = text[at];
          if (inside === undefined || inside === "$" || inside === "`") return undefined;
          if (inside !== '"' && inside !== "\\") continue;
          known += text.slice(begin, at);
          if (inside === '"') break;
          at++;
          const escaped = text[at] ?? "";
          if (escaped !== "\n") known += '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
          begin = at + 1;
        }
        at++;
        isBare = false;
        break;
      }
      case "\\": {
        const escaped = text[at + 1];
        if (escaped === undefined || escaped === "\n") return undefined;
        known += escaped;
        at += 2;
        isBare = false;
        break;
      }
      case "*":
      case "?":
        if (star === -1) star = known.length;
        known += char;
        at++;
        break;
      case "{":
        if (text[at + 1] !== "}") return undefined;
        known += "{}";
        at += 2;
        break;
      case "~":
      case "#":
      case "!":
        // At the beginning of a word: a home, a comment, a keyword.
        if (at === start) return undefined;
        known += char;
        at++;
        break;
      default:
        return undefined;
    }
  }
}

/** Letters, digits, and characters without special meaning: `%+,-./:=@^_`. */
function isPlain(code: number): boolean {
  if (code >= 97 && code <= 122) return true;
  return (
    (code >= 43 && code <= 58) || (code >= 64 && code <= 90) || (code >= 94 && code <= 95) || code === 61 || code === 37
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNumber({ text, rest }: Value): boolean {
  if (text === "" || rest !== "") return false;
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}

function isEnd(char: string | undefined): boolean {
  return char === undefined || " \t\n;|&<>".includes(char);
}

/** A keyword, or an assignment. */
function isSpecialFirst(word: string): boolean {
  return (
    word.includes("=") ||
    " if then elif else fi while until do done for in select case esac function time coproc ".includes(` ${word} `)
  );
}
