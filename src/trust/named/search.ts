import { resolve } from "node:path";
import type { ShellState, Value } from "../../touched/shell/state.ts";

/** What is being found out about a command. A path counts from everywhere the command may go, whatever comes first. */
export interface Search {
  readonly files: Set<string>;
  /** Those whose files are run where they are directories. */
  readonly run: Set<string>;
  readonly cwds: Set<string>;
  /** Whether it goes on to further directories. */
  goes: boolean;
  /** Every value that a variable is ever given. */
  readonly variables: Map<string, readonly Value[]>;
  hidden: string | undefined;
}

/** The word behind one of these is code. */
export const TAKES_CODE: ReadonlySet<string> = new Set(["-c", "-e", "--eval", "--command", "--call", "--exec"]);
/** The word behind one of these is loaded. */
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
/** Longer than a word of a definition may be. */
const MAX_VALUE = 8192;
const MAX_VARIABLES = 64;
export const TOO_LONG = "a shell's text in it is too long";
const ANYTHING: readonly Value[] = [{ text: "", rest: "anything" }];
/** What the shell's own variables for its directory hold. */
export const HERE: readonly Value[] = [{ text: ".", rest: "" }];

export function beginSearch(cwd: string): Search {
  return {
    files: new Set(),
    run: new Set(),
    cwds: new Set([cwd]),
    goes: true,
    variables: new Map(),
    hidden: undefined,
  };
}

export function hide(search: Search, why: string): void {
  search.hidden ??= why;
}

export function hideFile(search: Search): void {
  hide(search, "which file it runs is only known when it runs");
}

/** Each word of a program that may do anything with it. */
export function addWords(search: Search, words: readonly Value[]): void {
  for (const [index, { text, rest }] of words.entries()) {
    if (search.hidden !== undefined) return;
    const before = words[index - 1]?.text ?? "";
    if (rest === "") addWord(search, text);
    else if (/^\w*PATH=/.test(text)) addVariable(search, text);
    if (TAKES_CODE.has(before)) addCode(search, text);
    if (TAKES_MODULE.has(before)) addRun(search, text);
    else if (text.startsWith("--plugin-dir=")) addRun(search, text.slice(text.indexOf("=") + 1));
  }
}

/** What has the form of a path in code of some language. */
export function addCode(search: Search, code: string): void {
  for (const piece of code.split(/[\s"'`()[\]{}<>;|&,]+/)) addWord(search, piece);
}

/** `--config=a`, `-Ia`, `NAME=a`, `@a`, `a:b`: all that may be a path of its own. */
function addWord(search: Search, word: string): void {
  if (search.hidden !== undefined) return;
  addFile(search, word);
  if (/^\w+=/.test(word)) return addVariable(search, word);
  const equals = word.indexOf("=");
  if (equals >= 0) addWord(search, word.slice(equals + 1));
  if (/^-[A-Za-z]./.test(word)) addFile(search, word.slice(2));
  if (word.startsWith("@")) addFile(search, word.slice(1));
  for (const part of word.split(/[:,;]/)) addFile(search, part);
  if (word.startsWith("file:")) addFile(search, word.replace(/^file:(?:\/\/)?/, ""));
}

/** What a variable holds; a list of directories, as in PATH, is one of places to run from. */
export function addVariable(search: Search, assignment: string): void {
  const [name = ""] = assignment.split("=", 1);
  const value = assignment.slice(name.length + 1);
  if (value.length > MAX_VALUE) return hide(search, TOO_LONG);
  for (const part of [value, ...value.split(/[\s:,;=]+/)]) {
    addFile(search, part);
    if (name.endsWith("PATH")) addRun(search, part);
  }
}

/** Remembers a value of a variable besides those that it has anyway. */
export function giveValues(search: Search, name: string, values: readonly Value[]): void {
  if (name === "PWD" || name === "OLDPWD") return hideFile(search);
  const known = search.variables.get(name) ?? [];
  const added = values.filter(({ text, rest }) => !known.some((value) => value.text === text && value.rest === rest));
  if (added.length === 0) return;
  if (search.variables.size >= MAX_VARIABLES) return hide(search, TOO_LONG);
  search.variables.set(name, known.length + added.length > MAX_VALUES ? ANYTHING : [...known, ...added]);
}

/** A place that it goes to, from each where it may be. */
export function addDirectory(search: Search, directory: string): void {
  if (!search.goes) return;
  const known = Array.from(search.cwds);
  for (const cwd of known) search.cwds.add(resolve(cwd, directory));
  if (search.cwds.size > MAX_DIRECTORIES) hide(search, "it goes to too many directories");
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
  else hide(search, "it has too many words that may name a file");
}

/** Where paths lead, from each directory that was gone to. */
export function placesOf({ cwds }: Search, pieces: ReadonlySet<string>): Set<string> {
  const places = new Set<string>();
  for (const cwd of cwds) for (const piece of pieces) places.add(resolve(cwd, piece));
  return places;
}

/** A shell that knows all values that a variable may have, and to which its own directory is any of those gone to. */
export function knowing(search: Search, state: ShellState): ShellState {
  state.variables = new Map([...search.variables, ["PWD", HERE], ["OLDPWD", HERE]]);
  return state;
}
