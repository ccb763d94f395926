import { builtinPaths } from "../touched/programs/builtins.ts";
import { runShell, type ShellCommand } from "../touched/shell/run.ts";
import type { Assignment, Word, WordPart } from "../touched/shell/grammar.ts";
import { ANYTHING, assign, exactly, initialState, type ShellState, type Value } from "../touched/shell/state.ts";
import { nothingFound } from "../touched/touched.ts";
import { assignedValues, valuesOf, variableOf } from "../touched/shell/words.ts";
import { unwrapped } from "../touched/wrappers.ts";

/** A word that names a program or a script, and where it is looked for; undefined where nobody can tell. */
export interface CalledWord {
  readonly word: string;
  /** A script that a program is given to run. */
  readonly isScript: boolean;
  readonly cwd: string | undefined;
}

/** They run what stands behind their own options, which is there under its own name. */
const WRAPPERS = /^(?:exec|env|nohup|nice|ionice|setsid|stdbuf|time|g?timeout|sudo)$/;
const MAX_WRAPPERS = 16;
const INTERPRETER = /^(?:.*\/)?(?:((?:ba|da|k|z)?sh)|(python3?)|node|bun|deno|ruby|perl|tsx)$/;

/**
 * What a shell's command calls, as far as it is sure.
 *
 * @param known variables that have a value wherever the command is run
 */
export function calledPrograms(command: string, cwd: string, known: Readonly<Record<string, string>>): CalledWord[] {
  const called: CalledWord[] = [];
  // A home is another one on each machine: what begins with it stays as it is written.
  const state = initialState({ cwd, home: "~" }, nothingFound());
  for (const [name, value] of Object.entries(known)) assign(state, name, [exactly(value)]);
  runShell(
    state,
    command,
    (inner, each) => called.push(...runOne(inner, each)),
    () => {},
  );
  return called;
}

/** The words of a call without a shell. */
export function calledWords(words: readonly string[], cwd: string): CalledWord[] {
  return programOf(initialState({ cwd, home: "~" }, nothingFound()), words.map(exactly));
}

function runOne(state: ShellState, { words, assignments }: ShellCommand): CalledWord[] {
  const args = words.flatMap((word) => (word.type === "Word" ? knownValues(state, word) : []));
  // Before a command they are its own.
  for (const each of args.length > 0 ? words : assignments) if (each.type === "Assignment") assignKnown(state, each);
  return args.length === 0 || builtinPaths(state, args) ? [] : programOf(state, args);
}

function assignKnown(state: ShellState, assignment: Assignment): void {
  const { name, value } = assignment;
  const words = value.type === "ArrayValue" ? value.elements : [value];
  const isSure = words.every(({ parts }) => isKnown(state, parts));
  assign(state, name, isSure ? assignedValues(state, assignment) : ANYTHING);
}

function knownValues(state: ShellState, word: Word): readonly Value[] {
  return isKnown(state, word.parts) ? valuesOf(state, word) : ANYTHING;
}

/** A variable that has a default may have another value. */
function isKnown(state: ShellState, parts: readonly WordPart[] = []): boolean {
  return parts.every((part) => {
    if (part.type === "DoubleQuoted") return isKnown(state, part.parts);
    const name = variableOf(part);
    return name === undefined || state.variables.has(name);
  });
}

function programOf(outer: ShellState, given: readonly Value[]): CalledWord[] {
  let state = outer;
  let args = given;
  for (let count = 0; count < MAX_WRAPPERS && WRAPPERS.test(args[0]?.text ?? ""); count++) {
    const inner = unwrapped(state, args);
    if (inner === undefined) break;
    ({ state, args } = inner);
  }
  const [program] = args;
  if (program === undefined || program.rest !== "") return [];
  const cwd = state.isLost ? undefined : state.cwd;
  const script = scriptOf(args);
  const called = [{ word: program.text, isScript: false, cwd }];
  return script?.rest === "" ? [...called, { word: script.text, isScript: true, cwd }] : called;
}

/** The file that an interpreter is given; undefined where it may be given code, or something for an option. */
function scriptOf(args: readonly Value[]): Value | undefined {
  const [interpreter, isShell, isPython] = INTERPRETER.exec(args[0]?.text ?? "") ?? [];
  if (interpreter === undefined) return undefined;
  const harmless = isShell ? /^-[a-bd-np-rt-z]+$/ : isPython ? /^-[BdEiIOPqRsSuvx]+$/ : /^-w$/;
  const withValue = isShell ? /^-[a-bd-np-rt-z]*[oO]$/ : isPython ? /^-[BdEiIOPqRsSuvx]*[WX]$/ : /^$/;
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] as Value;
    if (arg.text === "--") return args[index + 1];
    if (!arg.text.startsWith("-")) return arg;
    if (withValue.test(arg.text)) index++;
    else if (!harmless.test(arg.text) && !/^--[^=]+=/.test(arg.text)) return undefined;
  }
  return undefined;
}
