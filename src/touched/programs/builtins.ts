import { byName } from "../../lib/table.ts";
import { ANYTHING, assign, changeDirectory, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { isNamed } from "./arguments.ts";

/** Runs shell builtins: changing directory, setting variables, testing files. False for other programs. */
export function runBuiltin(state: ShellState, args: readonly Value[]): boolean {
  const run = BUILTINS.get(args[0]?.text ?? "");
  run?.(state, args.slice(1));
  return run !== undefined;
}

const BUILTINS = byName<(state: ShellState, args: readonly Value[]) => void>([
  ["cd, chdir", (state, args) => changeDirectory(state, directoryOf(args))],
  ["pushd", (state, args) => push(state, directoryOf(args))],
  ["popd", pop],
  ["export, local, declare, typeset, readonly", assignAll],
  ["unset, read, mapfile, readarray", (state, args) => args.forEach(({ text }) => assign(state, text, ANYTHING))],
  ["test, [, [[", touchTested],
  ["dd", touchCopied],
]);

function directoryOf(args: readonly Value[]): Value | undefined {
  return args.find(({ text }) => text === "-" || !text.startsWith("-"));
}

function push(state: ShellState, directory: Value | undefined): void {
  if (directory === undefined || directory.text.startsWith("+")) {
    state.isLost = true;
    return;
  }
  if (!state.isLost && state.pushed.length < 64) state.pushed = [...state.pushed, state.cwd];
  changeDirectory(state, directory);
}

function pop(state: ShellState): void {
  const directory = state.pushed.at(-1);
  state.pushed = state.pushed.slice(0, -1);
  if (directory === undefined) state.isLost = true;
  else changeDirectory(state, { text: directory, rest: "" });
}

function assignAll(state: ShellState, args: readonly Value[]): void {
  for (const { text, rest } of args) {
    const equals = text.indexOf("=");
    if (equals > 0) assign(state, text.slice(0, equals), [{ text: text.slice(equals + 1), rest }]);
  }
}

function touchTested(state: ShellState, args: readonly Value[]): void {
  for (const [index, { text }] of args.entries()) {
    const [before, next] = [args[index - 1], args[index + 1]];
    if (next === undefined) return;
    if (isNamed("-e -f -d -r -w -x -s -L -h -p -S -N", text)) touchValue(state, next, "list");
    else if (before !== undefined && isNamed("-nt -ot -ef", text)) {
      touchValue(state, before, "list");
      touchValue(state, next, "list");
    }
  }
}

/** `dd if=a of=b` */
function touchCopied(state: ShellState, args: readonly Value[]): void {
  for (const { text, rest } of args) {
    if (text.startsWith("if=")) touchValue(state, { text: text.slice(3), rest }, "read");
    else if (text.startsWith("of=")) touchValue(state, { text: text.slice(3), rest }, "write");
  }
}
