import { sep } from "node:path";
import { withSlashes } from "../../lib/paths.ts";
import { childrenOf, parseShell, type Command, type SyntaxNode } from "../../touched/shell/grammar.ts";

/** A command that calls our hook, however it is written. */
export interface OwnCommand {
  /** The word that names the program. */
  readonly program: string;
  /** `1/4` */
  readonly part: string | undefined;
  /** Whether `install` wrote it, in this version or an earlier one; otherwise someone has edited it. */
  readonly isPlain: boolean;
}

/** Makes a hook succeed silently on a machine without codelia. */
export const PRESENCE_GUARD = "command -v codelia >/dev/null 2>&1 || exit 0; exec ";

/** By its name, or by its path when run from source. */
const PROGRAM = /(?:^|[\\/])(?:codelia(?:[-._][\w.-]*)?|src[\\/]main\.ts)["')]*$/i;

const SHELL = /(?:^|[\\/])(?:ba|da|k|z)?sh$/;

/** The words that may precede the program in a call of it. After any other word it is an argument. */
const BEFORE =
  /^(?:-.*|\w+=.*|\d+[smh]?|(?:.*[\\/])?(?:exec|command|env|nohup|nice|time|timeout|(?:ba|da|k|z)?sh|(?:node|bun|deno)[\d.]*(?:\.exe)?|run))$/is;

const GUARD = simpleCommands(`${PRESENCE_GUARD}x`)?.slice(0, -1) ?? [];

/** Finds the call of `codelia hook <client>` in a hook's command line. */
export function readOwnCommand(line: string, client: string): OwnCommand | undefined {
  const commands = simpleCommands(line);
  // Even a line that no shell can parse is searched: otherwise the hook would be registered twice.
  if (commands === undefined) return readLoosely(line, client);
  for (const command of commands.toReversed()) {
    const found = findCall(command.words, client);
    if (found !== undefined) return { ...found, isPlain: found.isPlain && hasNothingAdded(commands, command) };
  }
  return undefined;
}

/** Whether a shell would treat both the same. */
export function isSameCommand(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [simpleCommands(left), simpleCommands(right)];
  return one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function findCall(words: readonly string[], client: string): OwnCommand | undefined {
  const at = words.findIndex(
    (word, index) => PROGRAM.test(word) && words[index + 1] === "hook" && words[index + 2] === client,
  );
  if (at >= 0 && words.slice(0, at).every((word) => BEFORE.test(word))) {
    const { part, isPlain } = readFlags(words.slice(at + 3));
    const isCalledPlainly = at === 0 || (at === 1 && !/^-|=|^\d/.test(words[0] ?? ""));
    return { program: words[at] ?? "", part, isPlain: isPlain && isCalledPlainly };
  }
  const script = SHELL.test(words[0] ?? "") && words[1] === "-c" ? words[2] : undefined;
  const inner = script === undefined ? undefined : readOwnCommand(script, client);
  return inner && { ...inner, isPlain: false };
}

function readFlags(flags: readonly string[]): { part: string | undefined; isPlain: boolean } {
  if (flags.length === 0) return { part: undefined, isPlain: true };
  const [first = "", second] = flags;
  if (first === "--part" && flags.length === 2) return { part: second, isPlain: true };
  if (first.startsWith("--part=") && flags.length === 1) return { part: first.slice("--part=".length), isPlain: true };
  const named = flags.indexOf("--part");
  return { part: named < 0 ? undefined : flags[named + 1], isPlain: false };
}

/** Whether the call is alone or after the guard. */
function hasNothingAdded(commands: readonly SimpleCommand[], own: SimpleCommand): boolean {
  if (own.redirections.length > 0 || commands.at(-1) !== own) return false;
  const before = commands.slice(0, -1);
  if (before.length === 0) return own.operator === "";
  return JSON.stringify(before) === JSON.stringify(GUARD);
}

function readLoosely(line: string, client: string): OwnCommand | undefined {
  const words = line.split(/[ \t\r\n'"]+/).filter((word) => word !== "");
  const found = findCall(words, client);
  return found && { ...found, isPlain: false };
}

/** One command of a shell line, between two operators. */
export interface SimpleCommand {
  /** The operator before it: `&&`, `||`, `;`, `|`, …, or nothing. */
  readonly operator: string;
  /** Without quotes; `$…` stays as written. */
  readonly words: readonly string[];
  readonly redirections: readonly string[];
}

/** The simple commands of a line in order, including those in loops and brackets; undefined if bash can't parse it. */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  // On Windows a backslash is part of a path.
  const script = parseShell(sep === "/" ? line : withSlashes(line));
  if (script?.isWhole !== true) return undefined;
  const commands: SimpleCommand[] = [];
  let operator = "";
  const add = (node: SyntaxNode): void => {
    switch (node.type) {
      case "Command":
        commands.push({ operator, ...partsOf(node) });
        return;
      case "TestCommand":
        commands.push({ operator, words: ["[[", ...wordsIn(node)], redirections: [] });
        return;
      case "AndOr":
      case "Pipeline":
        for (const [index, each] of node.commands.entries()) {
          operator = node.operators[index - 1] ?? operator;
          add(each);
        }
        return;
      case "Statement":
        add(node.command);
        operator = node.background === true ? "&" : ";";
        return;
      case "Subshell":
      case "For":
      case "While":
      case "If":
      case "Case":
      case "Function":
        // A command inside a compound one is not alone.
        operator = "(";
    }
    if (node.type !== "Word") for (const child of childrenOf(node)) add(child);
  };
  for (const statement of script.commands) add(statement);
  return commands;
}

function partsOf({ name, prefix, args, redirects }: Command): Omit<SimpleCommand, "operator"> {
  const words: string[] = [];
  for (const each of [...prefix, ...(name === undefined ? [] : [name]), ...args]) {
    if (each.type === "Word") words.push(each.value);
    else if (each.type === "Assignment")
      words.push(`${each.name}=${each.value.type === "Word" ? each.value.value : ""}`);
  }
  const redirections = redirects.map(({ descriptor, operator, ...each }) => {
    const number = descriptor?.type === "FileDescriptor" ? descriptor.value : "";
    const target = each.type === "HereDoc" ? each.delimiter : each.target;
    return `${number}${operator}${target?.value ?? ""}`;
  });
  return { words, redirections };
}

function wordsIn(node: SyntaxNode): string[] {
  return node.type === "Word" ? [node.value] : childrenOf(node).flatMap(wordsIn);
}
