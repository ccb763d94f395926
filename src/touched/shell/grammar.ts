import { forEachChild, parse, type ParsedScript, type Statement, type SyntaxNode, type Word } from "unbash";

export type * from "unbash";

/** Longer than any argument that a system passes to a shell. */
const MAX_LENGTH = 262_144;
/** The parser's time is quadratic in the number of heredocs. */
const MAX_HEREDOCS = 2048;
/** How often the parser may examine a character on average. In 450 real scripts it was at most 5.8 times. */
const MAX_LOOKS = 8;
/** A short text may be deeply nested: 24 levels of `"$(a "$(b …)")"` take this many. */
const LEAST_LOOKS = 10_000;

/**
 * A text that stops the parser once it has examined too many characters. The parser has no limit of its own, and some
 * nestings take it minutes; but all its loops read the source with `charCodeAt()`.
 */
class LimitedText extends String {
  #looks = LEAST_LOOKS + this.length * MAX_LOOKS;

  override charCodeAt(index: number): number {
    if (--this.#looks < 0) throw new RangeError("the shell text takes too long to read");
    return super.charCodeAt(index);
  }
}

interface ShellText {
  readonly commands: readonly Statement[];
  /** False if these are only the lines before a syntax error: a shell runs them before it reaches the error. */
  readonly isWhole: boolean;
}

/** Parses a text as bash does; undefined if it is too long or nested too deeply. */
export function parseShell(given: string): ShellText | undefined {
  if (given.length > MAX_LENGTH || given.includes("\0") || hasManyHeredocs(given)) return undefined;
  const text = given.includes("\r") ? given.replaceAll("\r\n", "\n") : given;
  try {
    const { commands, errors } = parseLimited(text);
    const [error] = errors ?? [];
    if (error === undefined) return { commands, isWhole: true };
    const before = parseLimited(text.slice(0, text.lastIndexOf("\n", error.pos - 1) + 1));
    return { commands: before.errors === undefined ? before.commands : [], isWhole: false };
  } catch (error) {
    return ifTooDeep(error);
  }
}

/** Parses a text that is a single word. */
export function parseWord(text: string): Word | undefined {
  const command = parseShell(`: ${text}`)?.commands[0]?.command;
  const word = command?.type === "Command" ? command.args[0] : undefined;
  return word?.type === "Word" && word.text === text ? word : undefined;
}

/**
 * The direct children of a node. The parser reads words, heredocs and substitutions only when asked here.
 *
 * @error RangeError if that takes too long or overflows the stack
 */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

/** Undefined for a text nested too deeply for the stack (`f() f() f() …`) or for our limit; other errors are thrown. */
export function ifTooDeep(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error;
}

function parseLimited(text: string): ParsedScript {
  return parse(new LimitedText(text) as unknown as string);
}

function hasManyHeredocs(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf("<<"); at !== -1; at = text.indexOf("<<", at + 2)) if (++count > MAX_HEREDOCS) return true;
  return false;
}
