import { childrenOf, parseShell, type Command, type SyntaxNode } from "../../touched/shell/grammar.ts";

/** One command of a shell line, between two operators. */
export interface SimpleCommand {
  /** What stands before it: `&&`, `||`, `;`, `|`, …, or nothing. */
  readonly operator: string;
  /** Without their quotes; what a shell would put in place of `$…` stays as it is written. */
  readonly words: readonly string[];
  readonly redirections: readonly string[];
}

/**
 * The simple commands of a line in their order, those in loops and brackets included. Substitutions are left in the
 * words as written. Undefined when bash can't read the line.
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const script = parseShell(line);
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
        // A command in a compound one doesn't stand alone.
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
