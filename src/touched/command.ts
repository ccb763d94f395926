import { basename } from "node:path";
import { byName } from "../lib/table.ts";
import { expandedByTool, hasExtension, touchLikely } from "./likely-path.ts";
import { isPatch, patchPaths } from "./patch.ts";
import { isFull, type Found } from "./paths.ts";
import { plainCommands } from "./plain-command.ts";
import { powerShellCommands, runCmdlet } from "./power-shell.ts";
import { isNamed, splitArguments, touchByRule } from "./programs/arguments.ts";
import { runBuiltin } from "./programs/builtins.ts";
import { toolRuleOf } from "./programs/developer-tools.ts";
import { runTar, runUnzip, runZip, FILE_PROGRAMS, runFind } from "./programs/file-programs.ts";
import { runGit } from "./programs/git.ts";
import { runPackageManager } from "./programs/package-managers.ts";
import { runInterpreter } from "./programs/scripts.ts";
import { linesOf, noteRevisionShown, noteShown } from "./programs/shown.ts";
import { unwrapped } from "./programs/wrappers.ts";
import {
  changeDirectory,
  exactly,
  initialState,
  touchText,
  touchValue,
  type Directories,
  type ResolvedCommand,
  type ShellState,
  type Value,
} from "./shell/state.ts";

/** Finds what a shell command touches. For a command that can't be parsed, that is its working directory. */
export function touchCommand(found: Found, command: string, directories: Directories): void {
  const state = initialState(directories, found);
  if (!runText(state, command)) touchText(state, ".", "list");
}

/** Finds what a PowerShell text touches. */
export function touchPowerShell(found: Found, text: string, directories: Directories): void {
  runPowerShell(initialState(directories, found), text);
}

function runPowerShell(state: ShellState, text: string): void {
  for (const { args, files } of powerShellCommands(text)) {
    state.found.work += args.length;
    if (isFull(state.found)) return;
    // Discarded output has no name.
    const opened = files.filter(({ value }) => value.text !== "");
    if (runCmdlet(state, args)) for (const { value, access } of opened) touchValue(state, value, access);
    else runResolved(state, { args: args.flat().map(withoutExe), files: opened, input: [], isPiped: false }, false);
  }
}

/** `git.exe` is git. */
function withoutExe(value: Value, index: number): Value {
  return index === 0 ? { ...value, text: value.text.replace(/\.(?:exe|cmd|bat)$/i, "") } : value;
}

/** `pwsh -NoProfile -Command "Get-Content a.txt"` */
function runPowerShellProgram({ state }: Call, args: readonly Value[]): void {
  const at = args.findIndex(({ text }) => /^-(?:c|command)$/i.test(text));
  const script = args.findIndex(({ text }) => /^-(?:f|file)$/i.test(text));
  if (at !== -1) {
    if (state.depth < MAX_DEPTH) runPowerShell({ ...state, depth: state.depth + 1 }, joined(args.slice(at + 1)));
  } else if (script !== -1 && args[script + 1] !== undefined) touchValue(state, args[script + 1] as Value, "read");
  else touchLikely(state, args, 1);
}

/** Finds what a program and its arguments touch, without a shell. */
export function touchProgram(found: Found, args: readonly string[], directories: Directories): void {
  const state = initialState(directories, found);
  runCommand({ state, input: [], isPiped: false, isShowing: true, nesting: 0 }, args.map(exactly));
}

/** Runs a shell text; false if it can't be parsed. `isSeen`: its output is shown. */
export function runText(outer: ShellState, text: string, isSeen = true): boolean {
  const { found } = outer;
  const plain = plainCommands(text);
  if (plain === undefined) {
    found.isUnread ||= found.readShell === undefined;
    const run = (state: ShellState, command: ResolvedCommand, isPrinted: boolean) =>
      runResolved(state, command, isSeen && isPrinted);
    return found.readShell?.(outer, text, run) ?? true;
  }
  for (const [index, command] of plain.entries()) {
    found.work += command.args.length;
    if (isFull(found)) break;
    if (isSeen && command.isPiped) noteShownThrough(outer, command, plain[index + 1]);
    // Each command of a pipeline runs in a subshell of its own.
    runResolved(command.isPiped ? { ...outer } : outer, command, isSeen);
  }
  return true;
}

/** `cat file | head -400` */
function noteShownThrough(state: ShellState, { args }: ResolvedCommand, next: ResolvedCommand | undefined): void {
  const isHead = next?.isPiped === true && next.args[0]?.text === "head" && next.files.length === 0;
  if (args[0]?.text === "cat" && isHead) noteShown(state, args, linesOf(next.args));
}

function runResolved(state: ShellState, { args, files, input, isPiped }: ResolvedCommand, isSeen: boolean): void {
  // Output to a file isn't shown; with `2>/dev/null` it still is.
  const isKept = files.some(({ value, access }) => access === "write" && !value.text.startsWith("/dev/"));
  // Redirections are opened before a `cd` moves the shell.
  const before = { ...state };
  runCommand({ state, input, isPiped, isShowing: isSeen && !isPiped && !isKept, nesting: 0 }, args);
  for (const { value, access } of files) touchValue(before, value, access);
}

/** A command as a shell would start it. */
type Call = {
  readonly state: ShellState;
  /** Its standard input: the texts of its heredocs and its here-string. */
  readonly input: readonly string[];
  readonly isPiped: boolean;
  /** Its output is shown. */
  readonly isShowing: boolean;
  /** How many commands may start each other within one command: `find -exec python -m …`. */
  readonly nesting: number;
};

const MAX_WRAPPERS = 16;
const MAX_NESTING = 8;
/** For scripts in scripts: `bash -c "bash -c …"`. */
const MAX_DEPTH = 8;

/** Finds the paths of one command and of the commands that it runs. */
function runCommand(outer: Call, given: readonly Value[], fed = false): void {
  let { state } = outer;
  let args = withoutDirectory(state, given);
  let isFed = fed;
  for (let count = 0; count < MAX_WRAPPERS; count++) {
    const inner = unwrapped(state, args);
    if (inner === undefined) break;
    const program = inner.args[0]?.text ?? "";
    // `uv run script.py`
    ({ state } = inner);
    if (!program.includes("/") && hasExtension(program)) touchText(state, program, "read");
    args = withoutDirectory(state, inner.args);
    isFed ||= inner.isFed;
  }
  if (args.length === 0) return;
  const call = { ...outer, state };
  touchPatches(call, args);
  if (!runBuiltin(state, args)) runProgram(call, args, isFed);
}

/** `/usr/bin/cat` is cat; a program of the project's own is a file that is read. */
function withoutDirectory(state: ShellState, args: readonly Value[]): readonly Value[] {
  const first = args[0];
  if (first === undefined || !first.text.includes("/")) return args;
  if (!isInstalled(first.text)) touchValue(state, first, "read");
  return first.rest === "" ? [exactly(basename(first.text)), ...args.slice(1)] : args;
}

function isInstalled(program: string): boolean {
  return /^\/(?:usr|bin|sbin|opt)\/|node_modules\/\.bin\/|venv\/bin\//.test(program);
}

function runProgram(call: Call, args: readonly Value[], isFed: boolean): void {
  const program = args[0]?.text ?? "";
  const run = PROGRAMS.get(/^(?:python|pypy)/.test(program) ? "python" : program);
  if (run === undefined) runByRule(call, args, isFed);
  else run(call, args, isFed);
}

function runByRule(call: Call, args: readonly Value[], isFed: boolean): void {
  const { state } = call;
  const program = args[0]?.text ?? "";
  const rule = FILE_PROGRAMS.get(program);
  if (rule !== undefined) {
    if (call.isShowing && call.nesting === 0) noteShown(state, args);
    return touchByRule(state, args, rule, isFed);
  }
  const toolRule = toolRuleOf(program, args[1]?.text);
  if (toolRule !== undefined) touchByRule(state, args.map(expandedByTool), toolRule, isFed);
  else touchLikely(state, args, 1);
}

type Run = (call: Call, args: readonly Value[], isFed: boolean) => void;

/** Programs whose arguments are described by no rule. */
const PROGRAMS = byName<Run>([
  [
    "git",
    ({ state, isShowing, nesting }, args, isFed) => {
      if (isShowing && nesting === 0) noteRevisionShown(state, args);
      runGit(state, args, isFed);
    },
  ],
  ["tar, bsdtar", ({ state }, args) => runTar(state, args)],
  ["zip", ({ state }, args) => runZip(state, args)],
  ["unzip", ({ state }, args) => runUnzip(state, args)],
  ["jq, gojq", (call, args, isFed) => runByRule(call, withoutPairs(args), isFed)],
  ["yq", (call, args, isFed) => runByRule(call, withoutVerb(args), isFed)],
  ["patch", runPatch],
  // Its patches are found among its arguments.
  ["apply_patch, applypatch", () => {}],
  ["bash, sh, zsh, dash, ksh", runShellProgram],
  ["pwsh, powershell, pwsh.exe, powershell.exe", runPowerShellProgram],
  ["eval", (call, args) => runScript(call, joined(args.slice(1)), false)],
  [
    "find",
    (call, args) => {
      for (const command of runFind(call.state, args)) runInner(call, command, true);
    },
  ],
  [
    "node, nodejs, python, ruby, perl, php, lua, tsx, ts-node, Rscript",
    (call, args) => runInner(call, runInterpreter(call.state, args, call.input)),
  ],
  [
    "npm, pnpm, yarn, bun, deno",
    (call, args) => {
      const inner = runPackageManager(call.state, args, isKnown);
      if (inner !== undefined) runInner({ ...call, state: inner.state }, inner.args);
    },
  ],
]);

function isKnown(program: string): boolean {
  return FILE_PROGRAMS.has(program) || toolRuleOf(program) !== undefined;
}

function runInner(call: Call, args: readonly Value[] | undefined, isFed = false): void {
  if (args === undefined || args.length === 0 || call.nesting >= MAX_NESTING) return;
  runCommand({ ...call, nesting: call.nesting + 1 }, args, isFed);
}

/** A script that a command runs. If it has a shell of its own, a `cd` in it ends with that shell. */
function runScript({ state, isShowing, nesting }: Call, text: string, isOwn: boolean): void {
  if (state.depth >= MAX_DEPTH || isFull(state.found)) return;
  const inner = { ...state, depth: state.depth + 1 };
  if (!runText(inner, text, isShowing && nesting === 0)) touchText(state, ".", "list");
  if (!isOwn) Object.assign(state, inner, { depth: state.depth });
}

function runShellProgram(call: Call, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "o O rcfile init-file");
  const script = operands[0];
  const has = (letter: string) => options.some(({ name }) => name === letter);
  if (has("c")) {
    if (script?.rest === "") runScript(call, script.text, true);
  } else if (script === undefined || has("s")) {
    for (const text of call.input) runScript(call, text, true);
  } else {
    touchValue(call.state, script, "read");
    touchLikely(call.state, operands, 1);
  }
}

/** `eval` joins its arguments; everything after the first incompletely known one is unknown too. */
function joined(args: readonly Value[]): string {
  const unknown = args.findIndex(({ rest }) => rest !== "");
  const known = unknown === -1 ? args : args.slice(0, unknown + 1);
  return known.map(({ text }) => text).join(" ");
}

/** Patches among a command's arguments, or passed to it or through it: `cat <<EOF | git apply`. */
function touchPatches({ state, input, isPiped }: Call, args: readonly Value[]): void {
  for (const { text } of args) {
    if (!text.startsWith("*** Begin Patch")) continue;
    touchPatch(state, text.includes("\n") ? text : text.replaceAll("\\n", "\n"));
  }
  const program = args[0]?.text ?? "";
  const isApplied = isNamed("apply_patch applypatch", program) || (program === "git" && !isPiped);
  for (const text of input) if ((isApplied || isPiped) && isPatch(text)) touchPatch(state, text);
}

function touchPatch(state: ShellState, text: string): void {
  for (const { path, access } of patchPaths(text)) touchText(state, path, access);
}

function runPatch({ state, input }: Call, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "p d i o r F directory input output strip");
  const inside = { ...state };
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (isNamed("d directory", name)) changeDirectory(inside, value);
    else if (isNamed("i input", name)) touchValue(state, value, "read");
    else if (isNamed("o output", name)) touchValue(state, value, "write");
  }
  for (const [index, operand] of operands.entries()) touchValue(inside, operand, index === 0 ? "write" : "read");
  for (const text of input) touchPatch(inside, text);
}

/** `jq --arg name value` takes two. */
function withoutPairs(args: readonly Value[]): readonly Value[] {
  const starts = (arg: Value | undefined) => isNamed("--arg --argjson --slurpfile --rawfile", arg?.text ?? "");
  const rest: Value[] = [];
  for (let index = 0; index < args.length; index++) {
    if (starts(args[index])) index += 2;
    else rest.push(args[index] as Value);
  }
  return rest;
}

/** `yq eval '.a' file` is `yq '.a' file`. */
function withoutVerb(args: readonly Value[]): readonly Value[] {
  return isNamed("e eval ea eval-all", args[1]?.text ?? "") ? [args[0] as Value, ...args.slice(2)] : args;
}
