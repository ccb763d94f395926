import { resolve } from "node:path";
import { ANYTHING, type ShellState, type Value } from "../../touched/shell/state.ts";

/** What is found out about a command. A path counts from every directory that the command may be in. */
export interface Search {
  readonly files: Set<string>;
  /** If one of these is a directory, files in it are run. */
  readonly run: Set<string>;
  readonly cwds: Set<string>;
  /** Whether changes of directory are still followed. */
  followsDirectories: boolean;
  /** Every value that a variable is ever given. */
  readonly variables: Map<string, readonly Value[]>;
  unknown: string | undefined;
}

/** The word after one of these is code. */
export const TAKES_CODE: ReadonlySet<string> = new Set(["-c", "-e", "--eval", "--command", "--call", "--exec"]);
/** The word after one of these is loaded. */
export const TAKES_MODULE: ReadonlySet<string> = new Set([
  "-r",
  "--require",
  "--import",
  "--loader",
  "--preload",
  "--plugin-dir",
]);
const MAX_PIECE = 4096;
const MAX_PIECES = 1000;
const MAX_DIRECTORIES = 64;
const MAX_VALUES = 8;
/** Longer than a word of a definition can be. */
const MAX_VALUE = 8192;
const MAX_VARIABLES = 64;
export const TOO_LONG = "its shell script is too long";
/** The values of the shell's own variables for its directory. */
export const HERE: readonly Value[] = [{ text: ".", rest: "" }];

export function beginSearch(cwd: string): Search {
  return {
    files: new Set(),
    run: new Set(),
    cwds: new Set([cwd]),
    followsDirectories: true,
    variables: new Map(),
    unknown: undefined,
  };
}

export function giveUp(search: Search, why: string): void {
  search.unknown ??= why;
}

export function giveUpOnFile(search: Search): void {
  giveUp(search, "which file it runs is not known in advance");
}

/** The words of a program that may do anything with them. */
export function addWords(search: Search, words: readonly Value[]): void {
  for (const [index, { text, rest }] of words.entries()) {
    if (search.unknown !== undefined) return;
    const before = words[index - 1]?.text ?? "";
    if (rest === "") addWord(search, text);
    else if (/^\w*PATH=/.test(text)) addVariable(search, text);
    if (TAKES_CODE.has(before)) addCode(search, text);
    if (TAKES_MODULE.has(before)) addRun(search, text);
    else if (text.startsWith("--plugin-dir=")) addRun(search, text.slice(text.indexOf("=") + 1));
  }
}

/** Anything that looks like a path in code of any language. */
export function addCode(search: Search, code: string): void {
  for (const piece of code.split(/[\s"'`()[\]{}<>;|&,]+/)) addWord(search, piece);
}

/** Also the paths in `--config=a`, `-Ia`, `NAME=a`, `@a` and `a:b`. */
function addWord(search: Search, word: string): void {
  if (search.unknown !== undefined) return;
  addFile(search, word);
  if (/^\w+=/.test(word)) return addVariable(search, word);
  const equals = word.indexOf("=");
  if (equals >= 0) addWord(search, word.slice(equals + 1));
  if (/^-[A-Za-z]./.test(word)) addFile(search, word.slice(2));
  if (word.startsWith("@")) addFile(search, word.slice(1));
  for (const part of word.split(/[:,;]/)) addFile(search, part);
  if (word.startsWith("file:")) addFile(search, word.replace(/^file:(?:\/\/)?/, ""));
}

/** The value of a variable. Programs are run from the directories of a PATH. */
export function addVariable(search: Search, assignment: string): void {
  const [name = ""] = assignment.split("=", 1);
  const value = assignment.slice(name.length + 1);
  if (value.length > MAX_VALUE) return giveUp(search, TOO_LONG);
  for (const part of [value, ...value.split(/[\s:,;=]+/)]) {
    addFile(search, part);
    if (name.endsWith("PATH")) addRun(search, part);
  }
}

/** Adds to the values that a variable may have. */
export function giveValues(search: Search, name: string, values: readonly Value[]): void {
  if (name === "PWD" || name === "OLDPWD") return giveUpOnFile(search);
  const known = search.variables.get(name) ?? [];
  const added = values.filter(({ text, rest }) => !known.some((value) => value.text === text && value.rest === rest));
  if (added.length === 0) return;
  if (search.variables.size >= MAX_VARIABLES) return giveUp(search, TOO_LONG);
  search.variables.set(name, known.length + added.length > MAX_VALUES ? ANYTHING : [...known, ...added]);
}

/** A directory that it changes to, from each that it may be in. */
export function addDirectory(search: Search, directory: string): void {
  if (!search.followsDirectories) return;
  const known = Array.from(search.cwds);
  for (const cwd of known) search.cwds.add(resolve(cwd, directory));
  if (search.cwds.size > MAX_DIRECTORIES) giveUp(search, "it changes to too many directories");
}

export function addFile(search: Search, path: string): void {
  add(search, search.files, path);
}

export function addRun(search: Search, path: string): void {
  add(search, search.run, path);
}

function add(search: Search, pieces: Set<string>, path: string): void {
  if (path === "" || path.length > MAX_PIECE || path.includes("\0")) return;
  if (pieces.size < MAX_PIECES) pieces.add(path);
  else giveUp(search, "too many of its words may name a file");
}

/** The paths, resolved from each directory that it may be in. */
export function placesOf({ cwds }: Search, pieces: ReadonlySet<string>): Set<string> {
  const places = new Set<string>();
  for (const cwd of cwds) for (const piece of pieces) places.add(resolve(cwd, piece));
  return places;
}

/** Gives a shell every value that a variable may have; PWD is any directory that it may be in. */
export function withVariables(search: Search, state: ShellState): ShellState {
  state.variables = new Map([...search.variables, ["PWD", HERE], ["OLDPWD", HERE]]);
  return state;
}
