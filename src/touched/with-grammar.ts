import { touchToolUse, type ToolUse } from "./payload.ts";
import type { Redirect, Word } from "./shell/grammar.ts";
import { runShell, type ShellCommand } from "./shell/run.ts";
import {
  assign,
  touchText,
  type OpenedFile,
  type ReadShell,
  type ResolvedCommand,
  type ShellState,
  type Value,
} from "./shell/state.ts";
import { assignedValues, valuesOf } from "./shell/words.ts";
import { isFull, nothingFound, touchedPaths, type ShownFile, type TouchedPath } from "./paths.ts";

// What tool calls touch, with the shell grammar; `payload.ts` does without it.

/** What a tool call touches, each path once, at most 512. For a shell command that can't be parsed, the cwd. */
export function pathsOfToolUse(use: ToolUse): TouchedPath[] {
  const found = nothingFound(readShell);
  touchToolUse(found, use);
  return touchedPaths(found);
}

/** The files whose text a shell command prints. */
export function filesShownBy(use: ToolUse): ShownFile[] {
  const shown: ShownFile[] = [];
  touchToolUse(nothingFound(readShell, shown), use);
  return shown;
}

/** Parses any shell text with the grammar of bash. */
export const readShell: ReadShell = (outer, text, run) =>
  runShell(
    outer,
    text,
    (state, command) => {
      const resolved = resolveCommand(state, command);
      if (!isFull(state.found)) run(state, resolved, command.isSeen);
    },
    (state) => touchText(state, ".", "list"),
  );

/** @effect assignments go into `state` */
function resolveCommand(state: ShellState, { words, assignments, redirects, isPiped }: ShellCommand): ResolvedCommand {
  const args: Value[] = [];
  const files: OpenedFile[] = [];
  const input: string[] = [];
  for (const word of words) {
    if (word.type === "Word") args.push(...chargedValues(state, word));
    else if (args[0]?.text !== "alias") assign(state, word.name, assignedValues(state, word));
    if (isFull(state.found)) break;
  }
  // Assignments in front of a command apply to that command only.
  for (const each of words.length > 0 ? [] : assignments) assign(state, each.name, assignedValues(state, each));
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") input.push(redirect.body.text);
    else if (redirect.target !== undefined) {
      for (const value of chargedValues(state, redirect.target)) {
        if (redirect.type === "HereString") input.push(value.text);
        else if (!isCopy(redirect, value)) files.push({ value, access: accessOf(redirect) });
      }
    }
  }
  return { args, files, input, isPiped };
}

/** Long values count as more work: a variable can have one, and many commands can run it as a script. */
function chargedValues(state: ShellState, word: Word): readonly Value[] {
  const values = valuesOf(state, word);
  for (const { text } of values) state.found.work += text.length >> 10;
  return values;
}

/** `2>&1`, `<&-`, `>&3-`, and possibly `>&$fd`. */
function isCopy({ operator }: Redirect, { text, rest }: Value): boolean {
  return operator.endsWith("&") && rest !== "pattern" && /^\d*-?$/.test(text);
}

function accessOf({ operator }: Redirect): OpenedFile["access"] {
  return operator.includes(">") ? "write" : "read";
}
