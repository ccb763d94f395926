import type { Heredoc, ShellStep } from "./shell-steps.ts";

/** How deep substitutions, subshells and braces may stand in each other: people write three. */
const MAX_DEPTH = 32;

/** A place in a command line that is being read. */
export type Cursor = {
  readonly text: string;
  at: number;
  depth: number;
  hasFailed: boolean;
  readonly steps: ShellStep[];
  /** Announced by `<<`, and to be read when their line ends. */
  readonly heredocs: PendingHeredoc[];
  /** The grammar, handed down because a word can hold commands. */
  readonly readCommands: (cursor: Cursor, close: Close) => void;
};

/** What ends a run of commands: a bracket, a backtick's end or the text's, the next arm of a `case`. */
export type Close = ")" | "end" | "arm";

export type PendingHeredoc = {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly isQuoted: boolean;
  readonly heredoc: Heredoc;
};

/** At the end of the text every loop ends, so nothing needs to ask whether we gave up. */
export function giveUp(cursor: Cursor): void {
  cursor.hasFailed = true;
  cursor.at = cursor.text.length;
}

export function goDeeper(cursor: Cursor): void {
  cursor.depth++;
  if (cursor.depth > MAX_DEPTH) giveUp(cursor);
}

/** The commands of a subshell or a substitution, up to and with its closing bracket. */
export function readScope(cursor: Cursor): void {
  cursor.steps.push({ kind: "scope", opens: true });
  cursor.readCommands(cursor, ")");
  cursor.steps.push({ kind: "scope", opens: false });
}

/** The commands of a text inside this text; what can't be read there leaves the outer one alone or takes it along. */
export function innerCursor(cursor: Cursor, text: string, steps: ShellStep[]): Cursor {
  const { depth, readCommands } = cursor;
  return { text, at: 0, depth, hasFailed: false, steps, heredocs: [], readCommands };
}

/** Blanks, continued lines, and a comment up to the end of its line. */
export function skipBlank(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const char = text[cursor.at];
    if (char === " " || char === "\t" || (char === "\r" && text[cursor.at + 1] === "\n")) cursor.at++;
    else if (char === "\\" && text[cursor.at + 1] === "\n") cursor.at += 2;
    else if (char === "\\" && text.startsWith("\\\r\n", cursor.at)) cursor.at += 3;
    else if (char === "#") {
      const end = text.indexOf("\n", cursor.at);
      cursor.at = end === -1 ? text.length : end;
    } else return;
  }
}

/** The index behind the `))` that closes the `((` before `at`; -1 when brackets close one by one, as in a subshell. */
export function arithmeticEnd(text: string, at: number): number | undefined {
  let open = 2;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === "(") open++;
    else if (char === ")") {
      open--;
      if (open === 1 && text[index + 1] !== ")") return -1;
      if (open === 0) return index + 1;
    }
  }
  return undefined;
}

/** Past `((i++))`, which has no commands; false at `((a; b); c)`, which has. */
export function skipArithmetic(cursor: Cursor): boolean {
  const end = arithmeticEnd(cursor.text, cursor.at + 2);
  if (end === -1) return false;
  if (end === undefined) giveUp(cursor);
  else cursor.at = end;
  return true;
}
