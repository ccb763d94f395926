import { giveUp, goDeeper, skipArithmetic, skipBlank, type Close, type Cursor } from "./shell-cursor.ts";
import { readCommand } from "./shell-command.ts";
import { readHeredocs } from "./shell-heredoc.ts";
import type { ShellStep } from "./shell-steps.ts";

/**
 * The commands of a shell's text in their order, those of substitutions before the command that uses them; undefined
 * when it can't be read as one. Linear in the text whatever it holds.
 */
export function parseShell(text: string): readonly ShellStep[] | undefined {
  if (text.includes("\0")) return undefined;
  const cursor: Cursor = { text, at: 0, depth: 0, hasFailed: false, steps: [], heredocs: [], readCommands };
  readCommands(cursor, "end");
  return cursor.hasFailed ? undefined : cursor.steps;
}

/** Nobody writes this many commands into one line. */
export const MAX_STEPS = 20_000;

function readCommands(cursor: Cursor, close: Close): void {
  const { text, steps } = cursor;
  goDeeper(cursor);
  let isBehindPipe = false;
  for (;;) {
    if (steps.length > MAX_STEPS) giveUp(cursor);
    skipBlank(cursor);
    const char = text[cursor.at];
    if (char === undefined) {
      if (close !== "end") giveUp(cursor);
      break;
    }
    const next = text[cursor.at + 1];
    if (char === "\n") {
      cursor.at++;
      readHeredocs(cursor);
      // A line may end behind a pipe, and the command is still to come.
      if (!isBehindPipe) steps.push({ kind: "end", inBackground: false });
      continue;
    }
    if (char === ")") {
      if (close !== ")") giveUp(cursor);
      cursor.at++;
      break;
    }
    if (char === ";") {
      if (close === "arm" && (next === ";" || next === "&")) break;
      cursor.at++;
      steps.push({ kind: "end", inBackground: false });
    } else if (char === "&" && next === "&") cursor.at += 2;
    else if (char === "&" && next !== ">") {
      cursor.at++;
      steps.push({ kind: "end", inBackground: true });
    } else if (char === "|") {
      isBehindPipe = next !== "|";
      cursor.at += next === "|" || next === "&" ? 2 : 1;
      continue;
    } else if (close === "arm" && isArmsEnd(cursor)) break;
    else if (char === "(" && next === "(" && skipArithmetic(cursor)) continue;
    else readCommand(cursor, isBehindPipe);
    isBehindPipe = false;
  }
  cursor.depth--;
}

/** At the word that ends a `case`. */
function isArmsEnd({ text, at }: Cursor): boolean {
  if (!text.startsWith("esac", at)) return false;
  const next = text[at + 4];
  return next === undefined || " \t\r\n;&|)<>".includes(next);
}
