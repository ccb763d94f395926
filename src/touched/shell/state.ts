import { isAbsolute, sep } from "node:path";
import { absolutePath } from "../../lib/paths.ts";
import { touch, type Access, type Found } from "../paths.ts";

/** Where a command runs, its home for `~`, and the top of its tree if that is known. */
export type Directories = { readonly cwd: string; readonly home: string; readonly root?: string };

/** What a shell knows between two commands, as far as it is known without running them. */
export type ShellState = {
  readonly home: string;
  readonly root: string;
  readonly found: Found;
  cwd: string;
  /** It went to an unknown directory; `cwd` is where it was before. */
  isLost: boolean;
  previous: string | undefined;
  pushed: readonly string[];
  /** The known variables; a loop's variable has each of its values. */
  variables: ReadonlyMap<string, readonly Value[]>;
  /** How many nested shells there are: `bash -c "bash -c …"`. */
  readonly depth: number;
};

/** The known part of a word. `rest` says what follows it: nothing, a pattern, or anything. */
export type Value = { readonly text: string; readonly rest: "" | "pattern" | "anything" };

export const ANYTHING: readonly Value[] = [{ text: "", rest: "anything" }];

/** A simple command with its words resolved: arguments, the files that redirections open, the texts of heredocs. */
export interface ResolvedCommand {
  readonly args: readonly Value[];
  readonly files: readonly OpenedFile[];
  readonly input: readonly string[];
  readonly isPiped: boolean;
}

export interface OpenedFile {
  readonly value: Value;
  readonly access: "read" | "write";
}

/**
 * Calls `run` with each command of a text in the order in which a shell reaches it. `isSeen`: its output is the shell's
 * output. False if the text can't be parsed.
 */
export type ReadShell = (
  state: ShellState,
  text: string,
  run: (state: ShellState, command: ResolvedCommand, isSeen: boolean) => void,
) => boolean;

export function exactly(text: string): Value {
  return { text, rest: "" };
}

export function initialState({ cwd, home, root = cwd }: Directories, found: Found): ShellState {
  return { home, root, found, cwd, isLost: false, previous: undefined, pushed: [], variables: NO_VARIABLES, depth: 0 };
}

const NO_VARIABLES: ReadonlyMap<string, readonly Value[]> = new Map();

/** Touches the path that a word names, or the directory of all the paths that it can name. */
export function touchValue(state: ShellState, value: Value, access: Access): void {
  const { text, rest } = value;
  if (rest === "") return touchText(state, text, access);
  const directory = directoryPart(text);
  if (directory !== "") touchText(state, directory, access);
  else touchText(state, ".", rest === "pattern" ? access : "list");
}

/** If the shell went to an unknown directory, a relative path stands for the last known directory. */
export function touchText(state: ShellState, text: string, access: Access): void {
  // Standard input or output.
  if (text === "-") return;
  // The placeholder of `find -exec` and `xargs`.
  const slot = text.indexOf("{}");
  if (slot !== -1) {
    const directory = directoryPart(text, slot);
    if (directory !== "") touchText(state, directory, access);
    return;
  }
  if (state.isLost && !isAbsolute(text)) touch(state.found, state.cwd, ".", "list");
  else touch(state.found, state.cwd, text, access);
}

const MAX_DIRECTORY = 4096;

/** A `cd`; without a value it goes home. */
export function changeDirectory(state: ShellState, value: Value | undefined): void {
  const before = state.isLost ? undefined : state.cwd;
  const target = value === undefined ? state.home : value.text === "-" ? state.previous : value.text;
  state.previous = before;
  if (target === "" && value?.rest === "") return;
  if (target === undefined || (value !== undefined && value.rest !== "") || (state.isLost && !isAbsolute(target))) {
    if (value !== undefined && value.rest !== "") touchValue(state, value, "list");
    state.isLost = true;
    return;
  }
  touchText(state, target, "list");
  const directory = absolutePath(state.cwd, target);
  // `git -C a -C a …` could go on for ever.
  state.isLost = directory.length > MAX_DIRECTORY;
  if (!state.isLost) state.cwd = directory;
}

const MAX_VARIABLES = 64;

export function assign(state: ShellState, name: string, values: readonly Value[]): void {
  if (name === "" || (state.variables.size >= MAX_VARIABLES && !state.variables.has(name))) return;
  const variables = new Map(state.variables);
  variables.set(name, values);
  state.variables = variables;
}

/** The part before a path's last name, or before the name at `end`, with the separator; empty for a single name. */
export function directoryPart(path: string, end = path.length): string {
  const slash = path.lastIndexOf("/", end);
  return path.slice(0, (sep === "/" ? slash : Math.max(slash, path.lastIndexOf(sep, end))) + 1);
}
