/** One command of a shell line, between two operators. */
export interface SimpleCommand {
  /** What stands before it: `&&`, `||`, `;`, `|`, …, or nothing. */
  readonly operator: string;
  /** Without their quotes; what a shell would put in place of `$…` stays as it is written. */
  readonly words: readonly string[];
  readonly redirections: readonly string[];
}

const OPERATOR = /&&|\|\||;;|[;&|()\n]/y;
const REDIRECTION = /&>>?|<<<|<<-?|>>|>&|<&|>\||<>|[<>]/y;
/** What stands before a command without being one. */
const RESERVED = new Set(["{", "}", "!", "if", "then", "else", "elif", "fi", "while", "until", "do", "done"]);

/** The commands of a line as a POSIX shell reads them. Undefined where a quote is not closed. */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let operator = "";
  let words: string[] = [];
  let redirections: string[] = [];
  let pending = "";
  let at = 0;
  const endCommand = (next: string) => {
    if (words.length > 0 || redirections.length > 0) commands.push({ operator, words, redirections });
    operator = next;
    words = [];
    redirections = [];
  };
  while (at < line.length) {
    if (isBlank(line, at)) {
      at++;
      continue;
    }
    if (line[at] === "#") {
      const end = line.indexOf("\n", at);
      at = end < 0 ? line.length : end;
      continue;
    }
    const redirection = match(REDIRECTION, line, at);
    if (redirection !== undefined) {
      pending += redirection;
      at += redirection.length;
      continue;
    }
    const found = match(OPERATOR, line, at);
    if (found !== undefined) {
      endCommand(found === "\n" ? ";" : found);
      at += found.length;
      continue;
    }
    const word = readWord(line, at);
    if (word === undefined) return undefined;
    at = word.end;
    if (pending !== "") {
      redirections.push(pending + word.text);
      pending = "";
    } else if (/^\d+$/.test(word.text) && match(REDIRECTION, line, at) !== undefined) pending = word.text;
    else if (words.length > 0 || !RESERVED.has(word.text)) words.push(word.text);
  }
  endCommand("");
  return commands;
}

/** A shell's blanks: space and tab, and what Windows puts before the end of a line. All others are part of a word. */
function isBlank(line: string, at: number): boolean {
  const character = line[at];
  return character === " " || character === "\t" || (character === "\r" && line[at + 1] === "\n");
}

function match(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}

function readWord(line: string, start: number): { text: string; end: number } | undefined {
  let text = "";
  let at = start;
  while (at < line.length && !isBlank(line, at) && !"\n;&|()<>".includes(line[at] as string)) {
    const piece = readPiece(line, at);
    if (piece === undefined) return undefined;
    text += piece.text;
    at = piece.end;
  }
  return { text, end: at };
}

function readPiece(line: string, at: number): { text: string; end: number } | undefined {
  switch (line[at]) {
    case "'": {
      const close = line.indexOf("'", at + 1);
      return close < 0 ? undefined : { text: line.slice(at + 1, close), end: close + 1 };
    }
    case '"':
      return readDoubleQuoted(line, at + 1);
    case "\\":
      return { text: line[at + 1] === "\n" ? "" : (line[at + 1] ?? ""), end: at + 2 };
    case "`": {
      const close = line.indexOf("`", at + 1);
      return close < 0 ? undefined : { text: line.slice(at, close + 1), end: close + 1 };
    }
    case "$":
      if (line[at + 1] === "(") return readSubstitution(line, at);
  }
  return { text: line[at] as string, end: at + 1 };
}

function readDoubleQuoted(line: string, start: number): { text: string; end: number } | undefined {
  let text = "";
  for (let at = start; at < line.length;) {
    const character = line[at] as string;
    if (character === '"') return { text, end: at + 1 };
    if (character === "\\" && /[$`"\\\n]/.test(line[at + 1] ?? "")) {
      text += line[at + 1] === "\n" ? "" : line[at + 1];
      at += 2;
    } else if (character === "$" && line[at + 1] === "(") {
      const inner = readSubstitution(line, at);
      if (inner === undefined) return undefined;
      text += inner.text;
      at = inner.end;
    } else {
      text += character;
      at++;
    }
  }
  return undefined;
}

/** As it is written, to the bracket that closes it. */
function readSubstitution(line: string, start: number): { text: string; end: number } | undefined {
  let depth = 0;
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === "(") depth++;
    else if (line[at] === ")" && --depth === 0) return { text: line.slice(start, at + 1), end: at + 1 };
  }
  return undefined;
}
