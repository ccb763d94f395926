import { isAbsolute, resolve } from "node:path";
import { loadSettings } from "../clients/registry.ts";
import { isUsersOwn, placesOf } from "../clients/settings/target.ts";
import { readSettingsText } from "../clients/settings/text.ts";
import { readSettings } from "../clients/settings/file.ts";
import type { ClientSettings } from "../clients/settings/model.ts";
import { readOwnCommand, PRESENCE_GUARD, simpleCommands } from "../clients/settings/own-command.ts";
import { handlersOf, hooksOf } from "../clients/settings/survey.ts";
import { offsetsIn } from "../lib/edit/located.ts";
import { isPathOf } from "../lib/paths.ts";
import { isFile } from "../lib/path-facts.ts";
import { findOnPath, isExecutable } from "../lib/programs.ts";
import { isTable } from "../lib/table.ts";
import { textPositions } from "../lib/text-positions.ts";
import { runBuiltin } from "../touched/programs/builtins.ts";
import { unwrapped } from "../touched/programs/wrappers.ts";
import type { Assignment, Word, WordPart } from "../touched/shell/grammar.ts";
import { runShell, type ShellCommand } from "../touched/shell/run.ts";
import { ANYTHING, assign, exactly, initialState, type ShellState, type Value } from "../touched/shell/state.ts";
import { assignedValues, valuesOf, variableOf } from "../touched/shell/words.ts";
import { nothingFound } from "../touched/touched.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";

/**
 * What is wrong with the hooks that a project's own settings files register with a client; the user's files are for
 * `doctor`. They are read wherever git ignores them: so does the client.
 *
 * @effect reads
 * @error  none
 */
export async function checkHooks(world: World, scene: CheckScene): Promise<FamilyCheck> {
  const { workspace, root } = scene;
  if (isUsersOwn(world, workspace)) return { findings: [], checked: [] };
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const client of await loadSettings()) {
    for (const scope of client.scopes) {
      if (scope === "user") continue;
      const path = client.settingsFile(scope, { ...placesOf(world, workspace), root });
      const file = readSettings(world, path, root);
      if (file.kind === "absent") continue;
      checked.push(path);
      if (file.kind === "file") {
        for (const found of checkFile(world, client, scene, path, file.text)) findings.push(found);
      } else findings.push(file.problem);
    }
  }
  return { findings, checked };
}

function checkFile(
  world: World,
  client: ClientSettings,
  { root, walked }: CheckScene,
  path: string,
  text: string,
): Finding[] {
  const { data, located } = readSettingsText(text);
  const positionOf = textPositions(text);
  const offsetOf = offsetsIn(located);
  const programs = hookPrograms(data, { client: client.name, root, variable: client.rootVariable });
  const known = new Map<string, boolean>();
  const isMissing = (found: HookProgram): boolean => {
    const key = `${found.isBare} ${found.isScript} ${found.program}`;
    const isGone = known.get(key) ?? !isThere(world, found);
    known.set(key, isGone);
    return isGone;
  };
  return programs.filter(isMissing).map(({ program, isScript, isBare, keys }) => {
    const place = { path, ...positionOf(offsetOf(keys)) };
    const why = isBare ? "is not on PATH" : `is not there${isScript ? "" : ", or can't be run"}`;
    const remedy = isBare
      ? `install it, or let 'codelia install ${client.name}' write the entry anew`
      : "put it there, or remove the hook";
    const what = { ...place, message: `'${program}' ${why}`, remedy, concerns: [program] };
    // What git ignores is built, or one's own: it may well be there where the hook runs.
    return finding("hook-missing-program", walked.isIgnored(program) ? { ...what, severity: "note" } : what);
  });
}

function isThere(world: World, { program, isScript, isBare }: HookProgram): boolean {
  if (isBare) return findOnPath(world, program) !== undefined;
  return isScript ? isFile(program) : isExecutable(program);
}

/** A program that a hook calls, and where its handler stands. */
export interface HookProgram {
  readonly program: string;
  /** A script that a program is given to run: it has to be there, and need not be executable. */
  readonly isScript: boolean;
  /** A bare name is looked for on PATH. */
  readonly isBare: boolean;
  readonly keys: readonly (string | number)[];
}

export interface HookPlace {
  /** As in `codelia hook NAME`. */
  readonly client: string;
  readonly root: string;
  /** The variable that the client sets to the root. */
  readonly variable: string | undefined;
}

/** What looks first whether a program is there: then its absence is no accident. */
const GUARD = /^(?:command|which|type|test|\[|\[\[|if)$/;

/**
 * The programs of a settings file that have to be where their paths say. Not what is looked for on PATH, which is
 * another one on every machine, but for our own, called without a look whether it is there.
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
  // A client that has `args` runs the two without a shell.
  if (Array.isArray(args)) {
    const words = [command, ...args.map(String)].map((word) => withRoot(word, place));
    return calledWords(words, root).flatMap(namedByPath);
  }
  if ((simpleCommands(command) ?? []).some(({ words }) => GUARD.test(words[0] ?? ""))) return [];
  const found = calledPrograms(command, root, known).flatMap(namedByPath);
  const own = readOwnCommand(command, place.client);
  const isLookedFor = own !== undefined && !isPathOf(own.program) && !command.startsWith(PRESENCE_GUARD);
  return isLookedFor ? [...found, { program: own.program, isScript: false, isBare: true }] : found;
}

/** It is the client that puts the root in the place of its variable, where no shell does. */
function withRoot(word: string, { root, variable }: HookPlace): string {
  const [named, bracketed, bare] = /^\$(?:\{(\w+)\}|(\w+))\//.exec(word) ?? [];
  return named !== undefined && (bracketed ?? bare) === variable ? root + word.slice(named.length - 1) : word;
}

/** Nothing for what is no path, or one that is another one on each machine. */
function namedByPath({ word, isScript, cwd }: CalledWord): Omit<HookProgram, "keys">[] {
  if (!isPathOf(word) || (cwd === undefined && !isAbsolute(word))) return [];
  const program = resolve(cwd ?? "", word);
  return /[$`*?~<>]/.test(program) ? [] : [{ program, isScript, isBare: false }];
}

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
