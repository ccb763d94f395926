import {
  childrenOf,
  ifTooDeep,
  parseShell,
  type Assignment,
  type CommandExpansionPart,
  type CommandNode,
  type CompoundList,
  type For,
  type Redirection,
  type Select,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
} from "./grammar.ts";
import { isFull } from "../paths.ts";
import { ANYTHING, assign, type ShellState } from "./state.ts";
import { allValues, knownSubstitution } from "./words.ts";

/** A simple command, or redirections alone. */
export interface ShellCommand {
  /** Its name and arguments; `export a=b` may have assignments among them. */
  readonly words: readonly (Word | Assignment)[];
  /** Before its name. */
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirection[];
  readonly isPiped: boolean;
  /** Its output is the shell's output, not part of a word or a subshell. */
  readonly isSeen: boolean;
}

/** The maximum nesting of command lists. People write up to five levels. */
const MAX_DEPTH = 64;
/** Loops over more words than this run once, with an unknown word. */
const MAX_ROUNDS = 256;

interface Context {
  readonly run: (state: ShellState, command: ShellCommand) => void;
  readonly skip: (state: ShellState) => void;
  readonly isPiped: boolean;
  readonly isSeen: boolean;
  readonly depth: number;
}

/**
 * Calls `run` with each command of a text in the order in which a shell reaches it, substitutions before the command
 * that contains them. Every branch of an `if` or `case` runs, a function's body runs where it is defined, a `for` runs
 * once per word. False if the text can't be parsed.
 *
 * @param skip is called for commands that can't be parsed, or are nested too deeply
 * @effect `state` follows the shell: its directory, its variables
 */
export function runShell(state: ShellState, text: string, run: Context["run"], skip: Context["skip"]): boolean {
  state.found.work += text.length >> 7;
  const script = parseShell(text);
  if (script === undefined) return false;
  try {
    runList({ run, skip, isPiped: false, isSeen: true, depth: 0 }, state, script.commands);
    return script.isWhole;
  } catch (error) {
    // Words are parsed when they are reached.
    return ifTooDeep(error) ?? false;
  }
}

function runList(context: Context, state: ShellState, statements: readonly Statement[]): void {
  const { depth } = context;
  if (depth > MAX_DEPTH) return context.skip(state);
  const inner = { ...context, depth: depth + 1 };
  for (const { command, background } of statements) {
    if (isFull(state.found)) return;
    runNode(inner, background === true ? { ...state } : state, command);
  }
}

function runNode(context: Context, state: ShellState, node: Statement["command"] | CompoundList): void {
  const { run, isPiped, isSeen } = context;
  const runAll = ({ commands }: CompoundList) => runList(context, state, commands);
  const runSimple = (words: ShellCommand["words"], assignments: Assignment[], redirects: readonly Redirection[]) => {
    if (!isFull(state.found)) run(state, { words, assignments, redirects, isPiped, isSeen });
  };
  switch (node.type) {
    case "Command": {
      runSubstitutions(context, state, node);
      const assignments = node.prefix.filter((each) => each.type === "Assignment");
      return runSimple(node.name === undefined ? [] : [node.name, ...node.args], assignments, node.redirects);
    }
    case "Redirected": {
      const isKept = node.redirects.some(({ operator }) => operator.includes(">"));
      runNode({ ...context, isSeen: isSeen && !isKept }, state, node.command);
      for (const redirect of node.redirects) runSubstitutions(context, state, redirect);
      return runSimple([], [], node.redirects);
    }
    case "AndOr":
      for (const each of node.commands) runNode(context, state, each);
      return;
    case "Pipeline":
      return runPipeline(context, state, node.commands);
    case "Subshell":
      return runList({ ...context, isSeen: false }, { ...state }, node.body.commands);
    case "Coproc":
      return runNode({ ...context, isSeen: false }, { ...state }, node.body);
    case "CompoundList":
      return runAll(node);
    case "BraceGroup":
      return runAll(node.body);
    case "Function":
      return runNode(context, state, node.body);
    case "If":
      for (const { clause, then } of [node, ...node.elif]) {
        runAll(clause);
        runAll(then);
      }
      return node.else && runAll(node.else);
    case "While":
      runAll(node.clause);
      return runAll(node.body);
    case "For":
    case "Select":
      runSubstitutions(context, state, node);
      return runLoop(state, node, () => runAll(node.body));
    case "ArithmeticFor":
      return runAll(node.body);
    case "Case":
      runSubstitutions(context, state, node);
      for (const { body } of node.items) runAll(body);
      return;
    case "TestCommand":
      runSubstitutions(context, state, node);
      return runSimple([literal("[["), ...testWords(node.expression)], [], []);
    case "ArithmeticCommand":
      return;
  }
}

/** Each command of a pipeline runs in a subshell of its own. */
function runPipeline(context: Context, state: ShellState, commands: readonly CommandNode[]): void {
  const isPiped = commands.length > 1;
  const inner = isPiped ? { ...context, isPiped } : context;
  for (const each of commands) runNode(inner, isPiped ? { ...state } : state, each);
}

/** Each round costs as much as its body's text: nested loops would take for ever. */
function runLoop(state: ShellState, { name, wordlist, body }: For | Select, run: () => void): void {
  const { found } = state;
  const values = wordlist === undefined || isFull(found) ? ANYTHING : allValues(state, wordlist, MAX_ROUNDS);
  for (let round = 0; round === 0 || round < values.length; round++) {
    if (isFull(found)) return;
    found.work += 1 + ((body.end - body.pos) >> 6);
    assign(state, name.text, values.slice(round, round + 1));
    run();
  }
  // It may have stopped at any of them.
  assign(state, name.text, values);
}

/**
 * Runs the commands in a node's words: `$(…)`, backticks and `<(…)`, including those in quotes, defaults and heredocs.
 */
function runSubstitutions(context: Context, state: ShellState, node: SyntaxNode): void {
  for (const child of childrenOf(node)) {
    if (isFull(state.found)) return;
    if (child.type === "Script") runInside(context, state, child.errors === undefined ? child.commands : undefined);
    else if (child.type === "CommandExpansion" && child.text.startsWith("`")) runBackticks(context, state, child);
    else if (!isPassedOver(child)) runSubstitutions(context, state, child);
  }
}

/** Parses the text between backticks, without the backslashes that protect the next level's backticks. */
function runBackticks(context: Context, state: ShellState, node: CommandExpansionPart): void {
  if (knownSubstitution(node) !== undefined) return;
  state.found.work += 1 + (node.text.length >> 7);
  const script = parseShell(node.text.slice(1, -1).replaceAll(/\\([$`\\])/g, "$1"));
  runInside(context, state, script?.isWhole === true ? script.commands : undefined);
}

/** The commands of a substitution; undefined if they can't be parsed. */
function runInside(context: Context, state: ShellState, commands: readonly Statement[] | undefined): void {
  if (commands === undefined) context.skip(state);
  else runList({ ...context, isPiped: false, isSeen: false }, { ...state }, commands);
}

/** Bodies run by themselves; arithmetic hardly ever touches files, and is the slowest to parse. */
function isPassedOver(node: SyntaxNode): boolean {
  return node.type === "CompoundList" || node.type === "ArithmeticExpansion" || knownSubstitution(node) !== undefined;
}

/** `[[ -f a && b -nt c ]]` as the words of a command. */
function testWords(expression: TestExpression): Word[] {
  switch (expression.type) {
    case "TestUnary":
      return [literal(expression.operator), expression.operand];
    case "TestBinary":
      return [expression.left, literal(expression.operator), expression.right];
    case "TestLogical":
      return expression.operands.flatMap(testWords);
    case "TestNot":
      return testWords(expression.operand);
    case "TestGroup":
      return testWords(expression.expression);
  }
}

function literal(text: string): Word {
  return { type: "Word", text, value: text, pos: 0, end: text.length };
}
