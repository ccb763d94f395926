import { byName } from "../../lib/table.ts";
import { changeDirectory, exactly, touchValue, type ShellState, type Value } from "../shell/state.ts";
import { isNamed } from "./arguments.ts";

/** A command that another command runs. */
export type Inner = {
  readonly state: ShellState;
  readonly args: readonly Value[];
  /** It gets further operands. */
  readonly isFed: boolean;
};

/** How a program's arguments lead to the command that it runs. Options are written as for `splitArguments()`. */
type Wrapper = {
  /** Its options that take a value. */
  readonly values: string;
  /** Those of them that name the command's directory, and those that name a file to read. */
  readonly directory?: string;
  readonly reads?: string;
  /** Options with which it runs nothing: `command -v name`. */
  readonly unless?: string;
  /** The verb with which it runs a command: `uv run`. */
  readonly verb?: string;
  /** Operands before the command: `timeout 5 cat`. */
  readonly leading?: number;
  /** Variables may come before the command: `env A=b cat`. */
  readonly hasAssignments?: true;
  /** `npx tsc@5` runs tsc. */
  readonly hasVersion?: true;
  /** It adds operands to the command. */
  readonly feeds?: true;
};

const PROJECT_RUNNER: Wrapper = {
  verb: "run",
  values: "with python p extra group C directory project m",
  directory: "C directory",
};

const WRAPPERS = byName<Wrapper>([
  ["nohup, setsid, chronic, builtin, exec", { values: "a" }],
  ["command", { values: "", unless: "v V" }],
  ["time", { values: "o f output format" }],
  ["nice", { values: "n adjustment" }],
  ["ionice", { values: "c n class classdata" }],
  ["stdbuf", { values: "i o e input output error" }],
  ["timeout, gtimeout", { values: "s k signal kill-after", leading: 1 }],
  ["watch", { values: "n interval" }],
  ["sudo, doas", { values: "u g h p C r t user group host prompt", hasAssignments: true }],
  ["env", { values: "u C S unset chdir", directory: "C chdir", hasAssignments: true }],
  ["xargs", { values: "I n P L d s a E max-args max-procs replace delimiter arg-file", reads: "a", feeds: true }],
  ["npx, bunx, pnpx, uvx, pipx", { values: "p c package call from with w workspace", hasVersion: true }],
  ["uv, poetry, pipenv, rye, pdm, hatch", PROJECT_RUNNER],
  ["bundle", { values: "", verb: "exec" }],
  ["direnv", { values: "", verb: "exec", leading: 1 }],
]);

/**
 * The command that `sudo`, `env`, `timeout`, `xargs`, `npx` and the like run; undefined for a program that runs
 * nothing.
 */
export function unwrapped(outer: ShellState, args: readonly Value[]): Inner | undefined {
  const wrapper = WRAPPERS.get(args[0]?.text ?? "");
  if (wrapper === undefined) return undefined;
  // A wrapper that can change directory has a state of its own; `command cd a` changes the shell's.
  const state = wrapper.directory === undefined ? outer : { ...outer };
  let command = behindOptions(state, args.slice(1), wrapper);
  if (wrapper.verb !== undefined) {
    if (command[0]?.text !== wrapper.verb) return undefined;
    command = behindOptions(state, command.slice(1), wrapper);
  }
  if (isUnder(wrapper.unless, args[1])) command = [];
  const isVariable = ({ text }: Value) => wrapper.hasAssignments === true && /^[A-Za-z_]\w*=/.test(text);
  const start = command.findIndex((arg) => !isVariable(arg));
  command = start === -1 ? [] : command.slice(start + (wrapper.leading ?? 0));
  if (wrapper.hasVersion === true) command = withoutVersion(command);
  return { state, args: command, isFed: wrapper.feeds === true };
}

/** From the first argument that is neither an option nor an option's value. */
function behindOptions(state: ShellState, args: readonly Value[], wrapper: Wrapper): readonly Value[] {
  for (let index = 0; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    if (text === "--") return args.slice(index + 1);
    if (!text.startsWith("-") || text === "-") return args.slice(index);
    const equals = text.indexOf("=");
    const name = text.slice(text.startsWith("--") ? 2 : 1, equals === -1 ? text.length : equals);
    const value = equals === -1 ? args[index + 1] : { text: text.slice(equals + 1), rest };
    if (equals === -1 && isNamed(wrapper.values, name)) index++;
    if (value === undefined) continue;
    if (isNamed(wrapper.directory, name)) changeDirectory(state, value);
    else if (isNamed(wrapper.reads, name)) touchValue(state, value, "read");
  }
  return [];
}

function isUnder(options: string | undefined, arg: Value | undefined): boolean {
  return arg?.text.startsWith("-") === true && isNamed(options, arg.text.slice(1));
}

function withoutVersion([program, ...args]: readonly Value[]): readonly Value[] {
  if (program === undefined) return [];
  const at = program.text.indexOf("@");
  return [at < 1 ? program : exactly(program.text.slice(0, at)), ...args];
}
