import { basename } from "node:path";
import { expandedByTool, hasExtension, touchLikely } from "./likely-path.ts";
import { isPatch, patchPaths } from "./patch.ts";
import { tarPaths, unzipPaths, zipPaths } from "./programs/archives.ts";
import { splitArguments, isNamed } from "./programs/arguments.ts";
import { builtinPaths } from "./programs/builtins.ts";
import { findPaths } from "./programs/find.ts";
import { gitPaths } from "./programs/git.ts";
import { packageManagerPaths } from "./programs/package-managers.ts";
import { touchByRule, ruleOf, type Rule } from "./programs/rules.ts";
import { interpreterPaths } from "./programs/scripts.ts";
import { noteShown } from "./programs/shown.ts";
import { toolRuleOf } from "./programs/tools.ts";
import { changeDirectory, exactly, touchText, touchValue, type ShellState, type Value } from "./shell/state.ts";

/** A command as a shell would start it. */
export type Call = {
  readonly state: ShellState;
  /** What it is given to read: the texts of its heredocs and its here-string. */
  readonly input: readonly string[];
  readonly isPiped: boolean;
  /** What it prints is seen. */
  readonly isShowing: boolean;
  /** What it has shells run, left to the caller. */
  readonly scripts: Script[];
  /** How many commands run each other in one command: `find -exec python -m …`. */
  readonly nesting: number;
};

/** `isOwn`: a shell of its own runs it, so a `cd` in it ends with it. */
export type Script = { readonly text: string; readonly isOwn: boolean };

const MAX_WRAPPERS = 16;

const MAX_NESTING = 8;

/** The paths of one command and of those that it runs. */
export function runCommand(outer: Call, given: readonly Value[], fed = false): void {
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
  const call = state === outer.state ? outer : { ...outer, state };
  touchPatches(call, args);
  if (!builtinPaths(state, args)) runProgram(call, args, isFed);
}

function runProgram(call: Call, args: readonly Value[], isFed: boolean): void {
  const { state } = call;
  const program = args[0]?.text ?? "";
  switch (program) {
    case "git":
      return gitPaths(state, args, isFed);
    case "find":
      for (const command of findPaths(state, args)) runNext(call, command, true);
      return;
    case "tar":
    case "bsdtar":
      return tarPaths(state, args);
    case "zip":
      return zipPaths(state, args);
    case "unzip":
      return unzipPaths(state, args);
    case "bash":
    case "sh":
    case "zsh":
    case "dash":
    case "ksh":
      return runShell(call, args);
    case "eval":
      call.scripts.push({ text: joined(args), isOwn: false });
      return;
    case "patch":
      return patchProgram(call, args);
    case "apply_patch":
    case "applypatch":
      return;
    case "node":
    case "nodejs":
    case "python":
    case "ruby":
    case "perl":
    case "php":
    case "lua":
    case "tsx":
    case "ts-node":
    case "Rscript":
      return runNext(call, interpreterPaths(state, args, call.input));
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "deno": {
      const inner = packageManagerPaths(state, args, isKnown);
      return inner && runNext({ ...call, state: inner.state }, inner.args);
    }
    case "jq":
    case "gojq":
      return touchByRule(state, withoutPairs(args), ruleOf(program) as Rule, isFed);
    case "yq":
      return touchByRule(state, withoutVerb(args), ruleOf(program) as Rule, isFed);
    default:
  }
  if (program.startsWith("python") || program.startsWith("pypy"))
    return runNext(call, interpreterPaths(state, args, call.input));
  const rule = ruleOf(program);
  if (rule !== undefined) {
    if (call.isShowing && call.nesting === 0) noteShown(state, args);
    return touchByRule(state, args, rule, isFed);
  }
  const toolRule = toolRuleOf(program, args[1]?.text);
  if (toolRule !== undefined) touchByRule(state, args.map(expandedByTool), toolRule, isFed);
  else touchLikely(state, args, 1);
}

function runNext(call: Call, args: readonly Value[] | undefined, isFed = false): void {
  if (args === undefined || args.length === 0 || call.nesting >= MAX_NESTING) return;
  runCommand({ ...call, nesting: call.nesting + 1 }, args, isFed);
}

function isKnown(program: string): boolean {
  return (ruleOf(program) ?? toolRuleOf(program)) !== undefined;
}

/** `/usr/bin/cat` is cat; a program of the project's is a file that is read. */
function withoutDirectory(state: ShellState, args: readonly Value[]): readonly Value[] {
  const first = args[0];
  if (first === undefined || !first.text.includes("/")) return args;
  if (!isForeign(first.text)) touchValue(state, first, "read");
  return first.rest === "" ? [exactly(basename(first.text)), ...args.slice(1)] : args;
}

function isForeign(program: string): boolean {
  for (const directory of ["/usr/", "/bin/", "/sbin/", "/opt/"]) if (program.startsWith(directory)) return true;
  return program.includes("node_modules/.bin/") || program.includes("venv/bin/");
}

function runShell(call: Call, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "o O rcfile init-file");
  const script = operands[0];
  if (options.some(({ name }) => name === "c")) {
    if (script?.rest === "") call.scripts.push({ text: script.text, isOwn: true });
    return;
  }
  if (script === undefined || options.some(({ name }) => name === "s")) {
    for (const text of call.input) call.scripts.push({ text, isOwn: true });
    return;
  }
  touchValue(call.state, script, "read");
  touchLikely(call.state, operands, 1);
}

/** Patches in its arguments, or handed to it or through it: `cat <<EOF | git apply`. */
function touchPatches({ state, input, isPiped }: Call, args: readonly Value[]): void {
  for (const { text } of args) {
    if (!text.startsWith("*** Begin Patch")) continue;
    touchPatch(state, text.includes("\n") ? text : text.replaceAll("\\n", "\n"));
  }
  if (input.length === 0) return;
  const program = args[0]?.text;
  const isApplied = program === "apply_patch" || program === "applypatch" || (program === "git" && !isPiped);
  for (const text of input) if ((isApplied || isPiped) && isPatch(text)) touchPatch(state, text);
}

function touchPatch(state: ShellState, text: string): void {
  for (const { path, access } of patchPaths(text)) touchText(state, path, access);
}

function patchProgram({ state, input }: Call, args: readonly Value[]): void {
  const { operands, options } = splitArguments(args, 1, "p d i o r F directory input output strip");
  const inside = { ...state };
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (name === "d" || name === "directory") changeDirectory(inside, value);
    else if (name === "i" || name === "input") touchValue(state, value, "read");
    else if (name === "o" || name === "output") touchValue(state, value, "write");
  }
  for (const [index, operand] of operands.entries()) touchValue(inside, operand, index === 0 ? "write" : "read");
  for (const text of input) touchPatch(inside, text);
}

function joined(args: readonly Value[]): string {
  let text = "";
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] as Value;
    text += ` ${arg.text}`;
    if (arg.rest !== "") return text;
  }
  return text;
}

/** `jq --arg name value` takes two. */
function withoutPairs(args: readonly Value[]): readonly Value[] {
  const rest: Value[] = [];
  for (let index = 0; index < args.length; index++) {
    const { text } = args[index] as Value;
    if (text === "--arg" || text === "--argjson" || text === "--slurpfile" || text === "--rawfile") index += 2;
    else rest.push(args[index] as Value);
  }
  return rest;
}

/** `yq eval '.a' file` is `yq '.a' file`. */
function withoutVerb(args: readonly Value[]): readonly Value[] {
  const verb = args[1]?.text;
  const hasVerb = verb === "e" || verb === "eval" || verb === "ea" || verb === "eval-all";
  return hasVerb ? [args[0] as Value, ...args.slice(2)] : args;
}

/** The command that a command runs: what it is given besides, and whether it adds operands of its own. */
export type Inner = { readonly state: ShellState; readonly args: readonly Value[]; readonly isFed: boolean };

/** What `sudo`, `env`, `timeout`, `xargs`, `npx` and their like run; undefined for what runs nothing. */
export function unwrapped(state: ShellState, args: readonly Value[]): Inner | undefined {
  const name = args[0]?.text ?? "";
  switch (name) {
    case "nohup":
    case "setsid":
    case "chronic":
    case "builtin":
    case "exec":
      return behind(state, args, 1, "a");
    case "command":
      // `command -v name` runs nothing.
      return isNamed("-v -V", args[1]?.text ?? "") ? { state, args: [], isFed: false } : behind(state, args, 1, "");
    case "time":
      return behind(state, args, 1, "o f output format");
    case "sudo":
    case "doas":
      return behindAssignments(state, args, "u g h p C r t user group host prompt");
    case "env":
      return behindAssignments(state, args, "u C S unset chdir", "C chdir");
    case "nice":
      return behind(state, args, 1, "n adjustment");
    case "ionice":
      return behind(state, args, 1, "c n class classdata");
    case "stdbuf":
      return behind(state, args, 1, "i o e input output error");
    case "timeout":
    case "gtimeout": {
      const inner = behind(state, args, 1, "s k signal kill-after");
      return { ...inner, args: inner.args.slice(1) };
    }
    case "watch":
      return behind(state, args, 1, "n interval");
    case "npx":
    case "bunx":
    case "pnpx":
    case "uvx":
    case "pipx":
      return withoutVersion(behind(state, args, 1, "p c package call from with w workspace"));
    case "uv":
    case "poetry":
    case "pipenv":
    case "rye":
    case "pdm":
    case "hatch": {
      const verb = behind(state, args, 1, PROJECT_OPTIONS, "C directory");
      return verb.args[0]?.text === "run"
        ? behind(verb.state, verb.args, 1, PROJECT_OPTIONS, "C directory")
        : undefined;
    }
    case "bundle":
    case "direnv":
      return args[1]?.text === "exec" ? behind(state, args, 2, "") : undefined;
    case "xargs": {
      for (const [index, arg] of args.entries()) {
        const file = args[index + 1];
        if (arg.text === "-a" && file !== undefined) touchValue(state, file, "read");
      }
      const inner = behind(state, args, 1, "I n P L d s a E max-args max-procs replace delimiter arg-file");
      return { ...inner, isFed: true };
    }
    default:
      return undefined;
  }
}

const PROJECT_OPTIONS = "with python p extra group C directory project m";

/** From the first argument that is neither an option nor an option's value; some say where it runs. */
function behind(outer: ShellState, args: readonly Value[], from: number, withValue: string, places = ""): Inner {
  let state = outer;
  let index = from;
  for (; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    if (text === "--") {
      index++;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    const equals = text.indexOf("=");
    const name = text.slice(text.startsWith("--") ? 2 : 1, equals === -1 ? text.length : equals);
    const value = equals === -1 ? args[index + 1] : { text: text.slice(equals + 1), rest };
    if (equals === -1 && isNamed(withValue, name)) index++;
    if (value === undefined || !isNamed(places, name)) continue;
    if (state === outer) state = { ...outer };
    changeDirectory(state, value);
  }
  return { state, args: args.slice(index), isFed: false };
}

function behindAssignments(outer: ShellState, args: readonly Value[], withValue: string, places = ""): Inner {
  const inner = behind(outer, args, 1, withValue, places);
  let index = 0;
  while (index < inner.args.length && /^[A-Za-z_]\w*=/.test(inner.args[index]?.text ?? "")) index++;
  return { ...inner, args: inner.args.slice(index) };
}

/** `npx tsc@5` runs tsc. */
function withoutVersion(inner: Inner): Inner {
  const [first, ...rest] = inner.args;
  const at = first?.text.indexOf("@") ?? -1;
  return first === undefined || at < 1 ? inner : { ...inner, args: [exactly(first.text.slice(0, at)), ...rest] };
}
