import { basename, relative } from "node:path";
import type { AgentCommand } from "../agent-commands.ts";
import { splitArguments } from "../../touched/programs/arguments.ts";
import {
  ANYTHING,
  exactly,
  initialState,
  type Directories,
  type ShellState,
  type Value,
} from "../../touched/shell/state.ts";
import { runShell, type ShellCommand } from "../../touched/shell/run.ts";
import type { Assignment } from "../../touched/shell/grammar.ts";
import { isFull, nothingFound } from "../../touched/paths.ts";
import { assignedValues, valuesOf } from "../../touched/shell/words.ts";
import { unwrapped } from "../../touched/programs/wrappers.ts";
import {
  addCode,
  addDirectory,
  addFile,
  addRun,
  addVariable,
  addWords,
  beginSearch,
  giveValues,
  HERE,
  giveUp,
  giveUpOnFile,
  withVariables,
  placesOf,
  TAKES_CODE,
  TAKES_MODULE,
  TOO_LONG,
  type Search,
} from "./search.ts";

/** The absolute paths that a command's words may name, whether or not they exist. */
interface NamedPlaces {
  /** Possible files. */
  readonly files: ReadonlySet<string>;
  /** If one of these is a directory, files in it are run. */
  readonly run: ReadonlySet<string>;
  /** Why some of it can't be known. */
  readonly unknown: string | undefined;
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"]);
/** These read the files they are given, but don't run them. */
const ONLY_READS = new Set(["cat", "cmp", "diff", "grep", "egrep", "fgrep", "head", "jq", "ls", "stat", "tail", "wc"]);
const TOUCHES_NOTHING = new Set(["test", "[", "[[", "echo", "printf", "true", "false", ":"]);
/** Shell builtins whose words are commands, or files of commands. */
const RUNS_WORDS = new Set(["eval", "trap", ".", "source", "alias", "coproc"]);
const READS_VARIABLE = new Set(["read", "mapfile", "readarray", "getopts", "printf", "unset"]);
const SETS_VARIABLE = new Set(["export", "declare", "typeset", "local", "readonly"]);
const INTERPRETERS = /^(?:node|nodejs|bun|deno|tsx|ts-node|perl|ruby|php|lua|Rscript|(?:python|pypy)[\d.]*)$/;
const UNKNOWN_TEXT = "what its shell runs is not known in advance";
const UNREADABLE_TEXT = "its shell script can't be parsed";
const MAX_DEPTH = 8;
/** A later part of a script may decide what an earlier one runs. */
const MAX_ROUNDS = 4;

/** Where a command gets its input from. */
interface Surroundings {
  /** It is part of a script, so other commands may be piped into it. */
  readonly isInText: boolean;
  /** Its operands come from elsewhere, as in `xargs sh`. */
  readonly isFed: boolean;
  /** The texts on its standard input. */
  readonly input: readonly string[];
  readonly hasFile: boolean;
  readonly depth: number;
}

const ALONE: Surroundings = { isInText: false, isFed: false, input: [], hasFile: false, depth: 0 };

/** The paths that a command names: its program, and each word, or part of one, that may be a path. */
export function placesNamedBy({ kind, words, behind }: AgentCommand, place: Directories): NamedPlaces {
  const search = beginSearch(place.cwd);
  for (let round = 0, before = -1; round < MAX_ROUNDS && sizeOf(search) > before; round++) {
    before = sizeOf(search);
    search.followsDirectories = round === 0;
    const state = withVariables(search, initialState(place, nothingFound()));
    if (kind === "command") searchCommand(search, state, [...behind, ...words].map(exactly), ALONE);
    else if (kind === "arguments") addWords(search, words.map(exactly));
    else for (const tool of words) searchTool(search, state, tool);
  }
  return { files: placesOf(search, search.files), run: placesOf(search, search.run), unknown: search.unknown };
}

function sizeOf({ cwds, variables }: Search): number {
  let size = cwds.size;
  for (const values of variables.values()) size += values.length;
  return size;
}

/**
 * `Bash(./tools/check.sh:*)` lets the model run that without asking; other tools only read or write. The model chooses
 * what follows the rule's words.
 */
function searchTool(search: Search, state: ShellState, tool: string): void {
  const text = /^Bash\((.*)\)$/s.exec(tool)?.[1];
  if (text === undefined) return;
  searchScript(search, state, text.replace(/[:\s]?\*$/, ""), ALONE);
  search.unknown = undefined;
}

function searchCommand(search: Search, state: ShellState, given: readonly Value[], around: Surroundings): void {
  const [program, ...args] = given;
  if (program === undefined) return around.isFed ? giveUpOnFile(search) : undefined;
  if (program.rest !== "" || program.text.includes("{}")) {
    return giveUp(search, "which program it runs is not known in advance");
  }
  const name = basename(program.text);
  if (program.text.includes("/")) addFile(search, program.text);
  const deeper = { ...around, depth: around.depth + 1 };
  if (deeper.depth > MAX_DEPTH) return giveUp(search, "its commands are nested too deeply");
  if (READS_VARIABLE.has(name)) for (const { text } of args) giveValues(search, text, ANYTHING);
  if (TOUCHES_NOTHING.has(name) || ONLY_READS.has(name)) return;
  const inner = unwrapped({ ...state }, [exactly(name), ...args]);
  if (inner !== undefined) {
    addWords(search, args.slice(0, args.length - inner.args.length));
    if (inner.state.isLost) return giveUp(search, "the directory it changes to is not known in advance");
    if (inner.state.cwd !== state.cwd) addDirectory(search, relative(state.cwd, inner.state.cwd));
    return searchCommand(search, state, inner.args, { ...deeper, isFed: around.isFed || inner.isFed });
  }
  if (name === "cd" || name === "pushd") return followDirectory(search, state, args[0]);
  if (SHELLS.has(name)) return searchShell(search, state, given, deeper);
  addWords(search, args);
  if (INTERPRETERS.test(name)) return searchInterpreter(search, given, deeper);
  if (RUNS_WORDS.has(name)) return searchRunWords(search, state, name, args, deeper);
  if (SETS_VARIABLE.has(name)) return setVariables(search, args);
  if (name === "find") return searchFind(search, state, args, deeper);
  // Any other program that is given a command to run.
  const next = args.findIndex(({ text }) => runsFiles(text) || RUNS_WORDS.has(text));
  if (next >= 0) searchCommand(search, state, args.slice(next), deeper);
}

function setVariables(search: Search, args: readonly Value[]): void {
  for (const { text, rest } of args) {
    const equals = text.indexOf("=");
    if (equals > 0) giveValues(search, text.slice(0, equals), [{ text: text.slice(equals + 1), rest }]);
  }
}

function searchFind(search: Search, state: ShellState, args: readonly Value[], around: Surroundings): void {
  for (const [index, { text }] of args.entries()) {
    if (/^-(?:exec|ok)(?:dir)?$/.test(text)) searchCommand(search, state, args.slice(index + 1), around);
  }
}

function followDirectory(search: Search, { home }: ShellState, directory: Value | undefined): void {
  if (directory === undefined) return addDirectory(search, home);
  if (directory.rest !== "") return giveUp(search, "the directory it changes to is not known in advance");
  if (directory.text !== "-") addDirectory(search, directory.text);
}

function searchShell(search: Search, state: ShellState, given: readonly Value[], around: Surroundings): void {
  const { operands, options } = splitArguments(given, 1, "o O rcfile init-file");
  const [script] = operands;
  const isText = options.some(({ name }) => name === "c" || name === "command");
  addWords(
    search,
    given.slice(1).filter((word) => !isText || word !== script),
  );
  if (isText) return script === undefined ? giveUpOnFile(search) : searchTexts(search, state, [script], around);
  if (script === undefined || options.some(({ name }) => name === "s")) {
    return searchInput(search, around, (text) => searchScript(search, state, text, around));
  }
  checkOperand(search, script);
}

/** The words of `eval`, `trap` and `alias` are script; the first of `.` names a script file. */
function searchRunWords(
  search: Search,
  state: ShellState,
  name: string,
  args: readonly Value[],
  around: Surroundings,
): void {
  const [first] = args;
  if (first === undefined) return;
  if (name === "." || name === "source") return checkOperand(search, first);
  if (name === "coproc") {
    searchCommand(search, state, args, around);
    return searchCommand(search, state, args.slice(1), around);
  }
  if (name === "eval") return searchTexts(search, state, args, around);
  if (name === "trap") return searchTexts(search, state, [first], around);
  for (const { text, rest } of args) {
    const equals = text.indexOf("=");
    if (equals > 0) searchTexts(search, state, [{ text: text.slice(equals + 1), rest }], around);
  }
}

function searchTexts(search: Search, state: ShellState, words: readonly Value[], around: Surroundings): void {
  if (words.some(({ rest }) => rest !== "")) return giveUp(search, UNKNOWN_TEXT);
  searchScript(search, state, words.map(({ text }) => text).join(" "), around);
}

/** What a script will run, as far as that is known in advance. */
function searchScript(search: Search, outer: ShellState, text: string, around: Surroundings): void {
  // Arithmetic in some shells, nested subshells in others.
  if (text.includes("((")) return giveUp(search, UNREADABLE_TEXT);
  const inner = { ...outer };
  const isRead = runShell(
    inner,
    text,
    (state, command) => {
      if (search.unknown !== undefined) return;
      // The values of loop variables.
      for (const [name, values] of state.variables) if (values !== HERE) giveValues(search, name, values);
      searchStep(search, withVariables(search, state), command, around);
    },
    () => giveUp(search, UNREADABLE_TEXT),
  );
  if (isFull(inner.found)) giveUp(search, TOO_LONG);
  if (!isRead) giveUp(search, UNREADABLE_TEXT);
}

function searchStep(search: Search, state: ShellState, step: ShellCommand, around: Surroundings): void {
  const args = step.words.flatMap((word) => (word.type === "Word" ? valuesOf(state, word) : assigned(word)));
  step.assignments.forEach(assigned);
  const targets = step.redirects.flatMap((each) =>
    each.type === "HereDoc" || each.target === undefined
      ? []
      : valuesOf(state, each.target).map((value) => ({ type: each.type, operator: each.operator, value })),
  );
  const here = targets.filter(({ type }) => type === "HereString").map(({ value }) => value);
  if (here.some(({ rest }) => rest !== "") && args.some(({ text }) => runsFiles(text))) giveUp(search, UNKNOWN_TEXT);
  const heredocs = step.redirects.flatMap((each) => (each.type === "HereDoc" ? each.body.text : []));
  const input = [...heredocs, ...here.map(({ text }) => text)];
  const read = targets.filter(({ operator }) => operator === "<" || operator === "<>").map(({ value }) => value);
  if (args.some(({ text }) => runsFiles(text))) {
    if (targets.some(({ operator }) => operator === "<&")) giveUpOnFile(search);
    for (const file of read) {
      checkOperand(search, file);
      addFile(search, file.text);
    }
  }
  const { depth } = around;
  const own: Surroundings = { isInText: true, isFed: false, input, hasFile: read.length > 0, depth };
  searchCommand(search, state, args, own);
  // A variable in front may contain several words, or name one of several programs.
  const [first, ...others] = step.words;
  const programs = first?.type === "Word" ? valuesOf(state, first) : [];
  if (programs.length < 2) return;
  const operands = others.flatMap((word) => (word.type === "Word" ? valuesOf(state, word) : []));
  for (const program of programs) searchCommand(search, state, [program, ...operands], own);

  /** Records an assignment; as a word of `export`, it is `name=value`. */
  function assigned(assignment: Assignment): Value[] {
    const { name } = assignment;
    const values = assignedValues(state, assignment);
    giveValues(search, name, values);
    for (const { text } of values) addVariable(search, `${name}=${text}`);
    return values.map(({ text, rest }) => ({ text: `${name}=${text}`, rest }));
  }
}

function runsFiles(program: string): boolean {
  const name = basename(program);
  return SHELLS.has(name) || INTERPRETERS.test(name);
}

const SAYS_ITS_VERSION = new Set(["--version", "-v", "-V", "--help", "-h"]);

/** The file that it runs, the modules that it loads first, and the paths in its code. */
function searchInterpreter(search: Search, [program, ...args]: readonly Value[], around: Surroundings): void {
  // In `bun test`, `test` is not a directory.
  const hasVerbs = program?.text.endsWith("bun") || program?.text.endsWith("deno");
  const first = args.findIndex(({ text }) => !text.startsWith("-"));
  for (const [index, operand] of args.entries()) {
    const { text } = operand;
    const before = args[index - 1]?.text ?? "";
    if ((index !== first && !TAKES_MODULE.has(before)) || TAKES_CODE.has(before)) continue;
    checkOperand(search, operand);
    if (before === "-m") addModule(search, text);
    if (!hasVerbs || text.includes("/")) addRun(search, text);
  }
  if (first >= 0 || args.some(({ text }) => SAYS_ITS_VERSION.has(text))) return;
  searchInput(search, around, (text) => addCode(search, text));
}

/** Python's `a.b` is `a/b.py`, or a file in `a/b`. */
function addModule(search: Search, name: string): void {
  const path = name.replaceAll(".", "/");
  addFile(search, `${path}.py`);
  addRun(search, path);
}

/** The standard input of a shell or an interpreter, which it runs. */
function searchInput(search: Search, around: Surroundings, searchOne: (text: string) => void): void {
  const { input, hasFile, isFed, isInText } = around;
  for (const text of input) searchOne(text);
  if (isFed || (isInText && input.length === 0 && !hasFile)) giveUp(search, UNKNOWN_TEXT);
}

/** The file that is run must be known. */
function checkOperand(search: Search, { text, rest }: Value): void {
  if (rest !== "" || text.includes("{}") || /^\/(?:dev|proc)\//.test(text)) giveUpOnFile(search);
}
