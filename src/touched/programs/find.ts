import { touchText, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { isNamed } from "./arguments.ts";

const MAX_COMMANDS = 16;
/** How many roots a `{}` stands for at most. */
const MAX_ROOTS = 64;

/**
 * Touches the roots of a `find`, and returns the commands that it runs on its results, which may be anything below a
 * root.
 */
export function runFind(state: ShellState, args: readonly Value[]): Value[][] {
  let start = 1;
  while (isLeadingOption(args[start])) start += args[start]?.text === "-D" ? 2 : 1;
  const isExpression = ({ text }: Value) => text.startsWith("-") || text === "(" || text === "!";
  const rest = args.slice(start);
  const end = rest.findIndex(isExpression);
  const roots = end === -1 ? rest : rest.slice(0, end);
  const expressions = end === -1 ? [] : rest.slice(end);
  const access = expressions.some(({ text }) => text === "-delete") ? "write" : "list";
  for (const root of roots) touchValue(state, root, access);
  if (roots.length === 0) touchText(state, ".", access);
  touchFiles(state, expressions);
  return commandsIn(expressions, roots);
}

function isLeadingOption(arg: Value | undefined): boolean {
  const text = arg?.text ?? "";
  return isNamed("-L -H -P -D", text) || text.startsWith("-O");
}

function touchFiles(state: ShellState, expressions: readonly Value[]): void {
  for (const [index, { text }] of expressions.entries()) {
    const file = expressions[index + 1];
    if (file === undefined) return;
    if (isNamed("-newer -anewer -samefile", text)) touchValue(state, file, "read");
    else if (isNamed("-fprint -fprintf -fls", text)) touchValue(state, file, "write");
  }
}

function commandsIn(expressions: readonly Value[], roots: readonly Value[]): Value[][] {
  const commands: Value[][] = [];
  const found = roots.slice(0, MAX_ROOTS).map(anyBelow);
  for (let index = 0; index < expressions.length && commands.length < MAX_COMMANDS; index++) {
    if (!isNamed("-exec -execdir -ok -okdir", expressions[index]?.text ?? "")) continue;
    const command: Value[] = [];
    for (index++; index < expressions.length; index++) {
      const arg = expressions[index] as Value;
      if (arg.text === ";" || arg.text === "+") break;
      if (arg.text === "{}") command.push(...found);
      else command.push(arg);
    }
    if (command.length > 0) commands.push(command);
  }
  return commands;
}

function anyBelow({ text, rest }: Value): Value {
  return { text: rest === "" && !text.endsWith("/") ? `${text}/` : text, rest: "pattern" };
}
