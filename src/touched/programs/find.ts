import { touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import type { Access } from "../touched.ts";

/** Touches the roots of a `find`, and returns the commands that it runs on what it finds: anything below a root. */
export function findPaths(state: ShellState, args: readonly Value[]): Value[][] {
  let at = 1;
  while (isLeadingOption(args[at])) at += args[at]?.text === "-D" ? 2 : 1;
  const roots: Value[] = [];
  for (; at < args.length; at++) {
    const root = args[at] as Value;
    if (root.text.startsWith("-") || root.text === "(" || root.text === "!") break;
    roots.push(root);
  }
  const access: Access = hasDelete(args, at) ? "write" : "list";
  for (const root of roots) touchValue(state, root, access);
  if (roots.length === 0) touchText(state, ".", access);
  return expressions(state, args, at, roots);
}

function isLeadingOption(arg: Value | undefined): boolean {
  const text = arg?.text ?? "";
  return text === "-L" || text === "-H" || text === "-P" || text === "-D" || text.startsWith("-O");
}

function hasDelete(args: readonly Value[], from: number): boolean {
  for (let index = from; index < args.length; index++) if (args[index]?.text === "-delete") return true;
  return false;
}

function expressions(state: ShellState, args: readonly Value[], from: number, roots: readonly Value[]): Value[][] {
  const commands: Value[][] = [];
  for (let index = from; index < args.length; index++) {
    switch (args[index]?.text) {
      case "-newer":
      case "-anewer":
      case "-samefile": {
        const file = args[++index];
        if (file !== undefined) touchValue(state, file, "read");
        break;
      }
      case "-fprint":
      case "-fprintf":
      case "-fls": {
        const file = args[++index];
        if (file !== undefined) touchValue(state, file, "write");
        break;
      }
      case "-exec":
      case "-execdir":
      case "-ok":
      case "-okdir": {
        const command: Value[] = [];
        for (index++; index < args.length; index++) {
          const arg = args[index] as Value;
          if (arg.text === ";" || arg.text === "+") break;
          if (arg.text === "{}") for (const root of roots) command.push(anyBelow(root));
          else command.push(arg);
        }
        if (command.length > 0 && commands.length < 16) commands.push(command);
        break;
      }
      default:
    }
  }
  return commands;
}

function anyBelow({ text, rest }: Value): Value {
  return { text: rest === "" && !text.endsWith("/") ? `${text}/` : text, rest: "pattern" };
}
