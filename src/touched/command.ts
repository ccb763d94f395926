import { plainCommands } from "./plain-command.ts";
import { runCommand, type Script } from "./run-command.ts";
import {
  exactly,
  initialState,
  touchText,
  touchValue,
  type ResolvedCommand,
  type Place,
  type ShellState,
  type Value,
} from "./shell/state.ts";
import { isFull, type Found } from "./touched.ts";

const MAX_DEPTH = 8;

/** As a part of a larger search; one that can't be read gives the directory it would run in. */
export function touchCommand(found: Found, command: string, place: Place): void {
  const state = initialState(place, found);
  if (!runText(state, command)) touchText(state, ".", "list");
}

/** A program and its arguments, without a shell between. */
export function touchProgram(found: Found, args: readonly string[], place: Place): void {
  const state = initialState(place, found);
  runWith(state, args.map(exactly), [], false, true);
}

/** Runs a shell's text; false when it can't be read. */
export function runText(state: ShellState, text: string): boolean {
  const { found } = state;
  const plain = plainCommands(text);
  if (plain === undefined) {
    found.isUnread ||= found.readShell === undefined;
    return found.readShell?.(state, text, runResolved) ?? true;
  }
  for (const command of plain) {
    found.work += command.args.length;
    if (isFull(found)) break;
    // Each command of a pipeline runs in a subshell of its own.
    runResolved(command.isPiped ? { ...state } : state, command, true);
  }
  return true;
}

function runResolved(state: ShellState, { args, files, input, isPiped }: ResolvedCommand, isSeen: boolean): void {
  // Output that goes into a file isn't seen; with `2>/dev/null` it still is.
  const isKept = files.some(({ value, access }) => access === "write" && !value.text.startsWith("/dev/"));
  const isShowing = isSeen && !isPiped && !isKept && state.found.shown !== undefined;
  // Redirections are opened before a `cd` moves the shell.
  const outside = files.length > 0 ? { ...state } : state;
  if (args.length > 0) runWith(state, args, input, isPiped, isShowing);
  for (const { value, access } of files) touchValue(outside, value, access);
}

function runWith(
  state: ShellState,
  args: readonly Value[],
  input: readonly string[],
  isPiped: boolean,
  isShowing: boolean,
): void {
  const scripts: Script[] = [];
  runCommand({ state, input, isPiped, isShowing, scripts, nesting: 0 }, args);
  for (const { text, isOwn } of scripts) {
    if (state.depth >= MAX_DEPTH || isFull(state.found)) return;
    const inner = { ...state, depth: state.depth + 1 };
    if (!runText(inner, text)) touchText(state, ".", "list");
    if (!isOwn) Object.assign(state, inner, { depth: state.depth });
  }
}
