import { isAbsolute, resolve, sep } from "node:path";
import { windowsPath } from "../../lib/paths.ts";
import { touch, type Access, type Found } from "../touched.ts";

/** Where a command runs, where its `~` is, and the top of its tree if that is known. */
export type Place = { readonly cwd: string; readonly home: string; readonly root?: string };

/** What a shell knows between two commands, as far as it can be known without running them. */
export type ShellState = {
  readonly home: string;
  readonly root: string;
  readonly found: Found;
  cwd: string;
  /** It went where we can't tell: `cwd` is where it was last known to be. */
  isLost: boolean;
  previous: string | undefined;
  pushed: readonly string[];
  /** What is known of variables, a loop's with each of its values. */
  variables: ReadonlyMap<string, readonly Value[]>;
  /** How many shells run in each other: `bash -c "bash -c …"`. */
  readonly depth: number;
};

/** A word as far as it is known: what comes behind the text is a pattern, or anything. */
export type Value = { readonly text: string; readonly rest: "" | "pattern" | "anything" };

export const ANYTHING: readonly Value[] = [{ text: "", rest: "anything" }];

/** A simple command with its words resolved: arguments, the files that redirections open, the text of heredocs. */
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
 * output. False when the text can't be read.
 */
export type ReadShell = (
  state: ShellState,
  text: string,
  run: (state: ShellState, command: ResolvedCommand, isSeen: boolean) => void,
) => boolean;

export function exactly(text: string): Value {
  return { text, rest: "" };
}

export function initialState({ cwd, home, root = cwd }: Place, found: Found): ShellState {
  return { home, root, found, cwd, isLost: false, previous: undefined, pushed: [], variables: NO_VARIABLES, depth: 0 };
}

const NO_VARIABLES: ReadonlyMap<string, readonly Value[]> = new Map();

/** The path that a word names, or the directory that all it can name is in. */
export function touchValue(state: ShellState, value: Value, access: Access): void {
  const { text, rest } = value;
  if (rest === "") return touchText(state, text, access);
  const directory = directoryPart(text);
  if (directory !== "") touchText(state, directory, access);
  else touchText(state, ".", rest === "pattern" ? access : "list");
}

/** A relative path of a shell that went where we can't tell stands for the last directory known. */
export function touchText(state: ShellState, text: string, access: Access): void {
  // A stream.
  if (text === "-") return;
  // What `find -exec` and `xargs` put their findings in the place of.
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
  const directory = resolve(state.cwd, sep === "/" ? target : windowsPath(target));
  // No system goes further: `git -C a -C a …`.
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

/** What a path says before its last name, or before the one at `end`, with the separator; empty where it says nothing. */
export function directoryPart(path: string, end = path.length): string {
  const slash = path.lastIndexOf("/", end);
  return path.slice(0, (sep === "/" ? slash : Math.max(slash, path.lastIndexOf(sep, end))) + 1);
}
