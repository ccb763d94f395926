import { basename, resolve } from "node:path";
import type { AgentCommand } from "./agent-commands.ts";
import { splitArguments } from "./paths/program-arguments.ts";
import { assign, changeDirectory, exactly, initialState, shellLists } from "./paths/shell-state.ts";
import type { Place, ShellState, Value } from "./paths/shell-state.ts";
import type { ShellCommand, Word } from "./paths/shell-steps.ts";
import { parseShell } from "./paths/shell-words.ts";
import { isFull, nothingFound } from "./paths/touched.ts";
import { allValues, valuesOf } from "./paths/word-values.ts";
import { unwrapped } from "./paths/wrappers.ts";

/** What the words of a command may name, absolute; whether anything is there is another's to see. */
export interface NamedPlaces {
  /** Each may be a file. */
  readonly files: ReadonlySet<string>;
  /** Those of them whose files are run where they are directories. */
  readonly run: ReadonlySet<string>;
  /** Why not all of it can be told. */
  readonly hidden: string | undefined;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"]);
const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|ts-node|perl|ruby|php|lua|Rscript|(?:python|pypy)[\d.]*)$/;
/** They read the files that they are given, and run none of them. */
const READERS = new Set(["cat", "cmp", "diff", "grep", "egrep", "fgrep", "head", "jq", "ls", "stat", "tail", "wc"]);
const TESTS = new Set(["test", "[", "[[", "echo", "printf", "true", "false", ":"]);
/** The word behind one of these is code. */
const TAKES_CODE = new Set(["-c", "-e", "--eval", "--command", "--call", "--exec"]);
/** The word behind one of these is loaded. */
const TAKES_MODULE = new Set(["-r", "--require", "--import", "--loader", "--preload", "--plugin-dir"]);
const MAX_DEPTH = 8;
const MAX_PIECE = 4096;
const MAX_PLACES = 5000;

interface Search {
  readonly files: Set<string>;
  readonly run: Set<string>;
  hidden: string | undefined;
}

/** How a command of a shell's text stands in it. */
interface Surroundings {
  /** What it prints may be run. */
  readonly isRun: boolean;
  /** Its operands come from elsewhere: `xargs sh`. */
  readonly isFed: boolean;
  readonly input: readonly string[];
  readonly depth: number;
}

const ALONE: Surroundings = { isRun: false, isFed: false, input: [], depth: 0 };

/** The places that a command names: its program, and each word, or part of one, that may be a path. */
export function placesNamedBy({ kind, words, behind }: AgentCommand, place: Place): NamedPlaces {
  const search: Search = { files: new Set(), run: new Set(), hidden: undefined };
  const state = initialState(place, nothingFound());
  if (kind === "command") searchCommand(search, state, [...behind, ...words].map(exactly), ALONE);
  else if (kind === "arguments") searchWords(search, state, words.map(exactly));
  else for (const tool of words) searchTool(search, state, tool);
  return search;
}

/** `Bash(./tools/check.sh:*)` lets a shell run that without a question; other tools only read or write. */
function searchTool(search: Search, state: ShellState, tool: string): void {
  const text = /^Bash\((.*)\)$/s.exec(tool)?.[1];
  if (text === undefined) return;
  const plain = text.replace(/[:\s]?\*$/, "");
  if (plain !== "") searchScript(search, { ...state }, plain, ALONE);
}

function searchCommand(search: Search, outer: ShellState, given: readonly Value[], around: Surroundings): void {
  const [program, ...args] = given;
  if (program === undefined || search.hidden !== undefined) return;
  if (program.rest !== "") return hide(search, "which program it runs is only known when it runs");
  const name = basename(program.text);
  if (program.text.includes("/")) addPiece(search, outer, program.text);
  if (TESTS.has(name) || (READERS.has(name) && !around.isRun)) return;
  const inner = around.depth < MAX_DEPTH ? unwrapped(outer, [exactly(name), ...args]) : undefined;
  if (inner !== undefined) {
    searchWords(search, outer, args.slice(0, args.length - inner.args.length));
    const isFed = around.isFed || inner.isFed;
    return searchCommand(search, inner.state, inner.args, { ...around, isFed, depth: around.depth + 1 });
  }
  if (name === "cd" || name === "pushd") return goTo(search, outer, args[0]);
  if (SHELLS.has(name)) return searchShell(search, outer, given, around);
  searchWords(search, outer, args);
  if (name === "eval") return searchText(search, outer, args, around);
  if (INTERPRETERS.test(name)) return searchInterpreter(search, outer, given, around);
  if ((name === "." || name === "source") && args[0]?.rest !== "") return hideFile(search);
  // `find -exec sh …`, and whatever else is handed a command.
  const next = args.findIndex(({ text }) => runsFiles(text));
  if (next >= 0) searchCommand(search, outer, args.slice(next), { ...around, depth: around.depth + 1 });
}

function goTo(search: Search, state: ShellState, directory: Value | undefined): void {
  changeDirectory(state, directory);
  if (state.isLost) hide(search, "it goes to a directory that is only known when it runs");
}

function searchShell(search: Search, state: ShellState, given: readonly Value[], around: Surroundings): void {
  const { operands, options } = splitArguments(given, 1, "o O rcfile init-file");
  const [script] = operands;
  const isText = options.some(({ name }) => name === "c" || name === "command");
  const others = given.slice(1).filter((word) => !isText || word !== script);
  searchWords(search, state, others);
  if (isText) return script && searchText(search, { ...state }, [script], around);
  if (script === undefined || options.some(({ name }) => name === "s")) {
    if (around.isFed) return hideFile(search);
    for (const text of around.input) searchScript(search, { ...state }, text, around);
  } else if (script.rest !== "" || script.text.includes("{}")) hideFile(search);
}

function searchText(search: Search, state: ShellState, words: readonly Value[], around: Surroundings): void {
  if (words.some(({ rest }) => rest !== "")) return hide(search, "what a shell runs is only known when it runs");
  searchScript(search, state, words.map(({ text }) => text).join(" "), around);
}

/** The file that it runs, those that it loads before, and what its code has between quotes. */
function searchInterpreter(search: Search, state: ShellState, given: readonly Value[], around: Surroundings): void {
  const [program, ...args] = given;
  // `bun test` is no directory.
  const hasVerbs = program?.text.endsWith("bun") || program?.text.endsWith("deno");
  const first = args.findIndex(({ text }) => !text.startsWith("-"));
  for (const [index, { text, rest }] of args.entries()) {
    const before = args[index - 1]?.text ?? "";
    if ((index !== first && !TAKES_MODULE.has(before)) || TAKES_CODE.has(before)) continue;
    if (rest !== "" || text.includes("{}")) return hideFile(search);
    if (before === "-m") addModule(search, state, text);
    if (!hasVerbs || text.includes("/")) addTo(search.run, state, text);
  }
  if (first < 0 && around.isFed) hideFile(search);
  for (const text of around.input) searchCode(search, state, text);
}

/** Python's `a.b` is `a/b.py`, or what is in `a/b`. */
function addModule(search: Search, state: ShellState, name: string): void {
  const path = name.replaceAll(".", "/");
  addPiece(search, state, `${path}.py`);
  addTo(search.run, state, path);
}

/** Each word of a program that may do anything with it. */
function searchWords(search: Search, state: ShellState, words: readonly Value[]): void {
  for (const [index, { text, rest }] of words.entries()) {
    const before = words[index - 1]?.text ?? "";
    if (rest === "") addWord(search, state, text);
    else if (/^\w*PATH=/.test(text)) addVariable(search, state, text);
    if (TAKES_CODE.has(before)) searchCode(search, state, text);
    if (TAKES_MODULE.has(before)) addTo(search.run, state, text);
    else if (text.startsWith("--plugin-dir=")) addTo(search.run, state, text.slice(text.indexOf("=") + 1));
  }
}

function searchCode(search: Search, state: ShellState, code: string): void {
  for (const piece of code.split(/[\s"'`()[\]{}<>;|&,]+/)) addWord(search, state, piece);
}

/** `--config=a`, `-Ia`, `NAME=a`, `@a`, `a:b`: all that may be a path of its own. */
function addWord(search: Search, state: ShellState, word: string): void {
  addPiece(search, state, word);
  if (/^\w+=/.test(word)) return addVariable(search, state, word);
  const equals = word.indexOf("=");
  if (equals >= 0) addWord(search, state, word.slice(equals + 1));
  if (/^-[A-Za-z]./.test(word)) addPiece(search, state, word.slice(2));
  if (word.startsWith("@")) addPiece(search, state, word.slice(1));
  for (const part of word.split(/[:,;]/)) addPiece(search, state, part);
  if (word.startsWith("file:")) addPiece(search, state, word.replace(/^file:(?:\/\/)?/, ""));
}

/** What a variable holds; a list of directories, as in PATH, is one of places to run from. */
function addVariable(search: Search, state: ShellState, assignment: string): void {
  const [name = ""] = assignment.split("=", 1);
  const value = assignment.slice(name.length + 1);
  for (const part of [value, ...value.split(/[\s:,;=]+/)]) {
    addPiece(search, state, part);
    if (name.endsWith("PATH")) addTo(search.run, state, part);
  }
}

function addPiece(search: Search, state: ShellState, piece: string): void {
  if (search.files.size < MAX_PLACES) addTo(search.files, state, piece);
  else hide(search, "it has too many words that may name a file");
}

function addTo(places: Set<string>, { cwd }: ShellState, piece: string): void {
  if (piece !== "" && piece.length <= MAX_PIECE && !piece.includes("\0")) places.add(resolve(cwd, piece));
}

/** A shell's text, as far as it says before it runs what it will run. */
function searchScript(search: Search, state: ShellState, text: string, around: Surroundings): void {
  const steps = around.depth < MAX_DEPTH ? parseShell(text) : undefined;
  if (steps === undefined) return hide(search, "a shell's text in it can't be read");
  const lists = shellLists(state);
  const isRun = steps.some((step) => step.kind === "command" && step.isPiped && step.words.some(isRunner));
  for (const step of steps) {
    if (isFull(state.found)) return hide(search, "a shell's text in it is too long");
    if (step.kind === "command") searchStep(search, state, step, { ...around, isRun, depth: around.depth + 1 });
    else if (step.kind === "loop") assign(state, step.name, allValues(state, step.words));
    else if (step.kind === "end") lists.end(step.inBackground);
    else if (step.kind === "scope") {
      if (step.opens) lists.open();
      else lists.close();
    }
  }
}

/** A word that is the name of what runs its input. */
function isRunner(word: Word): boolean {
  const [part] = word;
  return part !== undefined && "text" in part && runsFiles(part.text);
}

function runsFiles(program: string): boolean {
  const name = basename(program);
  return SHELLS.has(name) || INTERPRETERS.test(name);
}

function searchStep(search: Search, state: ShellState, step: ShellCommand, around: Surroundings): void {
  const args = step.words.flatMap((word) => valuesOf(state, word));
  for (const { name, words } of step.assignments) {
    const values = allValues(state, words);
    if (args.length === 0) assign(state, name, values);
    for (const { text } of values) addVariable(search, state, `${name}=${text}`);
  }
  const here = step.hereString === undefined ? [] : valuesOf(state, step.hereString);
  const input = [...step.heredocs.map(({ body }) => body), ...here.map(({ text }) => text)];
  if (args.some(({ text }) => runsFiles(text))) {
    const read = step.redirects.filter(({ access }) => access === "read");
    for (const value of read.flatMap(({ word }) => valuesOf(state, word))) addRead(search, state, value);
  }
  searchCommand(search, state, args, { ...around, isFed: false, input });
}

function addRead(search: Search, state: ShellState, { text, rest }: Value): void {
  if (rest === "") addPiece(search, state, text);
  else hideFile(search);
}

function hideFile(search: Search): void {
  hide(search, "which file it runs is only known when it runs");
}

function hide(search: Search, why: string): void {
  search.hidden ??= why;
}
