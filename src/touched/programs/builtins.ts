import { isNamed } from "./arguments.ts";
import { ANYTHING, assign, changeDirectory, touchValue, type ShellState, type Value } from "../shell/state.ts";

/** Runs what a shell does by itself: changing directory, setting variables, testing files. False for other programs. */
export function builtinPaths(state: ShellState, args: readonly Value[]): boolean {
  switch (args[0]?.text) {
    case "cd":
    case "chdir":
      changeDirectory(state, directoryOf(args));
      return true;
    case "pushd":
      push(state, directoryOf(args));
      return true;
    case "popd":
      pop(state);
      return true;
    case "export":
    case "local":
    case "declare":
    case "typeset":
    case "readonly":
      for (let index = 1; index < args.length; index++) assignArgument(state, args[index] as Value);
      return true;
    case "unset":
    case "read":
    case "mapfile":
    case "readarray":
      for (let index = 1; index < args.length; index++) assign(state, args[index]?.text ?? "", ANYTHING);
      return true;
    case "test":
    case "[":
    case "[[":
      touchTested(state, args);
      return true;
    case "dd":
      for (const { text, rest } of args) {
        if (text.startsWith("if=")) touchValue(state, { text: text.slice(3), rest }, "read");
        else if (text.startsWith("of=")) touchValue(state, { text: text.slice(3), rest }, "write");
      }
      return true;
    default:
      return false;
  }
}

function directoryOf(args: readonly Value[]): Value | undefined {
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] as Value;
    if (arg.text === "-" || !arg.text.startsWith("-")) return arg;
  }
  return undefined;
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

function assignArgument(state: ShellState, { text, rest }: Value): void {
  const equals = text.indexOf("=");
  if (equals > 0) assign(state, text.slice(0, equals), [{ text: text.slice(equals + 1), rest }]);
}

function touchTested(state: ShellState, args: readonly Value[]): void {
  for (let index = 1; index + 1 < args.length; index++) {
    const { text } = args[index] as Value;
    const next = args[index + 1] as Value;
    if (isNamed("-e -f -d -r -w -x -s -L -h -p -S -N", text)) touchValue(state, next, "list");
    else if (isNamed("-nt -ot -ef", text)) {
      touchValue(state, args[index - 1] as Value, "list");
      touchValue(state, next, "list");
    }
  }
}
