import { isAbsolute, resolve } from "node:path";
import { readOwnCommand, PRESENCE_GUARD, simpleCommands } from "../clients/settings/own-command.ts";
import { handlersOf, hooksOf } from "../clients/settings/survey.ts";
import { isPathOf } from "../lib/paths.ts";
import { isTable } from "../lib/table.ts";
import { runBuiltin } from "../touched/programs/builtins.ts";
import { unwrapped } from "../touched/programs/wrappers.ts";
import type { Assignment, Word, WordPart } from "../touched/shell/grammar.ts";
import { runShell, type ShellCommand } from "../touched/shell/run.ts";
import { ANYTHING, assign, exactly, initialState, type ShellState, type Value } from "../touched/shell/state.ts";
import { assignedValues, valuesOf, variableOf } from "../touched/shell/words.ts";
import { nothingFound } from "../touched/paths.ts";

/*
 * Which programs the hooks of a settings file certainly call. Only paths that are the same on every machine count.
 */

/** A program that a hook calls. */
export interface HookProgram {
  readonly program: string;
  /** A script for an interpreter: it must exist, but need not be executable. */
  readonly isScript: boolean;
  /** A bare name, looked up on PATH. */
  readonly isBare: boolean;
  /** The keys that lead to its handler in the file. */
  readonly keys: readonly (string | number)[];
}

export interface HookPlace {
  /** As in `codelia hook NAME`. */
  readonly client: string;
  readonly root: string;
  /** The variable that the client sets to the root. */
  readonly variable: string | undefined;
}

/** Commands that test for a program: its absence is then expected. */
const GUARD = /^(?:command|which|type|test|\[|\[\[|if)$/;

/** A command that hides its errors and goes on may fail. */
const HUSHED = /2> ?\/dev\/null *\|\| *(?:true|:|exit 0)\b/;

/**
 * The programs of a settings file that must exist at their paths. Programs on PATH differ from machine to machine and are
 * left out, except our own if it is called without a guard.
 */
export function hookPrograms(data: unknown, place: HookPlace): HookProgram[] {
  return Object.entries(hooksOf(data)).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((group: unknown, at) =>
      handlersOf(group).flatMap((handler, index) => {
        const keys = ["hooks", event, at, "hooks", index, "command"];
        return programsOf(handler, place).map(({ program, isScript, isBare }) => ({ program, isScript, isBare, keys }));
      }),
    ),
  );
}

function programsOf(handler: unknown, place: HookPlace): Omit<HookProgram, "keys">[] {
  if (!isTable(handler) || typeof handler["command"] !== "string") return [];
  const { command, args } = handler;
  const { root, variable } = place;
  const known = variable === undefined ? {} : { [variable]: root };
  // With `args`, the client uses no shell.
  if (Array.isArray(args)) {
    const words = [command, ...args.map(String)].map((word) => withRoot(word, place));
    return calledWords(words, root).flatMap(namedByPath);
  }
  if (HUSHED.test(command)) return [];
  if ((simpleCommands(command) ?? []).some(({ words }) => GUARD.test(words[0] ?? ""))) return [];
  const found = calledPrograms(command, root, known).flatMap(namedByPath);
  const own = readOwnCommand(command, place.client);
  const isLookedFor = own !== undefined && !isPathOf(own.program) && !command.startsWith(PRESENCE_GUARD);
  return isLookedFor ? [...found, { program: own.program, isScript: false, isBare: true }] : found;
}

/** Without a shell, the client replaces its variable for the root. */
function withRoot(word: string, { root, variable }: HookPlace): string {
  const [named, bracketed, bare] = /^\$(?:\{(\w+)\}|(\w+))\//.exec(word) ?? [];
  return named !== undefined && (bracketed ?? bare) === variable ? root + word.slice(named.length - 1) : word;
}

/** Empty for a bare name, and for a path that differs from machine to machine. */
function namedByPath({ word, isScript, cwd }: CalledWord): Omit<HookProgram, "keys">[] {
  if (!isPathOf(word) || (cwd === undefined && !isAbsolute(word))) return [];
  const program = resolve(cwd ?? "", word);
  return /[$`*?~<>]/.test(program) ? [] : [{ program, isScript, isBare: false }];
}

/** A word that names a program or a script. */
export interface CalledWord {
  readonly word: string;
  /** A script for an interpreter. */
  readonly isScript: boolean;
  /** The base of a relative path; undefined if unknown. */
  readonly cwd: string | undefined;
}

/** Programs that run the command after their own options. */
const WRAPPERS = /^(?:exec|env|nohup|nice|ionice|setsid|stdbuf|time|g?timeout|sudo)$/;

const MAX_WRAPPERS = 16;

const INTERPRETER = /^(?:.*\/)?(?:((?:ba|da|k|z)?sh)|(python3?)|node|bun|deno|ruby|perl|tsx)$/;

/**
 * The programs that a shell command certainly calls.
 *
 * @param known variables that have the same value wherever the command runs
 */
export function calledPrograms(command: string, cwd: string, known: Readonly<Record<string, string>>): CalledWord[] {
  const called: CalledWord[] = [];
  // The home differs from machine to machine, so paths below it stay as written.
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
  // Assignments before a command apply to that command only.
  for (const each of args.length > 0 ? words : assignments) if (each.type === "Assignment") assignKnown(state, each);
  return args.length === 0 || runBuiltin(state, args) ? [] : programOf(state, args);
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

/** A variable with a default may have another value. */
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

/** The file that an interpreter runs; undefined if the word may be code, or an option's value. */
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
