import { resolve } from "node:path";
import { absolutePath, nativePath } from "../lib/paths.ts";
import { isTable, type Table, byName } from "../lib/table.ts";
import { touchCommand, touchPowerShell, touchProgram } from "./command.ts";
import { pathOfUri } from "./given-path.ts";
import { looksLikePath } from "./likely-path.ts";
import { patchPaths } from "./patch.ts";
import {
  indexOfAny,
  isFull,
  nothingFound,
  touch,
  touchedPaths,
  type Access,
  type Found,
  type TouchedPath,
  hasScheme,
} from "./paths.ts";
import { directoryPart, initialState, touchValue, type Directories, type Value, exactly } from "./shell/state.ts";

/** A tool call, as in a client's event. */
export type ToolUse = Directories & { readonly tool: string; readonly input: unknown };

/** What a tool call touches; undefined if that needs the shell grammar. */
export function plainPathsOfToolUse(use: ToolUse): TouchedPath[] | undefined {
  const found = nothingFound();
  touchToolUse(found, use);
  return found.isUnread ? undefined : touchedPaths(found);
}

/** Adds what a tool call touches. */
export function touchToolUse(found: Found, { tool, input, cwd, home, root = cwd }: ToolUse): void {
  const directories = { cwd: absolutePath(cwd, ""), home: resolve(cwd, home), root: resolve(cwd, root) };
  const name = baseName(tool);
  if (typeof input === "string") touchText(found, name, input, directories);
  else if (isTable(input)) touchInput(found, tool, input, directories);
}

/** Whether a tool runs shell commands. */
export function runsShell(tool: string): boolean {
  return isShell(baseName(tool));
}

/** `mcp__server__write_file` is `write_file`. */
function baseName(tool: string): string {
  const server = tool.lastIndexOf("__");
  return (server === -1 ? tool : tool.slice(server + 2)).toLowerCase();
}

function touchInput(found: Found, tool: string, input: Table, outer: Directories): void {
  const name = baseName(tool);
  const directories = directoriesOf(input, isShell(name), outer);
  if (directories.cwd !== outer.cwd) touch(found, directories.cwd, ".", "list");
  if (tool === "Glob") touchSearch(found, input, "pattern", "list", directories);
  else if (tool === "Grep") touchSearch(found, input, "glob", "read", directories);
  else if (tool === "LS") touchPattern(found, textAt(input, "path") ?? ".", "list", directories);
  else if (isShell(name)) {
    const command = input["command"] ?? input["cmd"];
    if (typeof command === "string") touchText(found, name, command, directories);
    else if (Array.isArray(command)) touchProgram(found, textsOf(command), directories);
    else if (isTable(input["action"])) touchInput(found, tool, input["action"], directories);
  } else if (isPatchTool(name)) {
    const patch = input["command"] ?? input["input"] ?? input["patch"] ?? input["patchText"];
    const text: unknown = Array.isArray(patch) ? patch.at(-1) : patch;
    if (typeof text === "string") touchText(found, name, text, directories);
  } else searchRecord({ found, access: accessOf(name), directories, values: 0 }, input, 0);
}

/** A patch, a shell command, or nothing known. */
function touchText(found: Found, name: string, text: string, directories: Directories): void {
  if (isPatchTool(name)) for (const { path, access } of patchPaths(text)) touch(found, directories.cwd, path, access);
  else if (isPowerShell(name)) touchPowerShell(found, text, directories);
  else if (isShell(name)) touchCommand(found, text, directories);
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string").slice(0, 4096);
}

/** Where a search starts, and the fixed directories of its pattern. */
function touchSearch(
  found: Found,
  input: Table,
  key: "pattern" | "glob",
  access: Access,
  directories: Directories,
): void {
  const path = textAt(input, "path");
  const base = path === undefined ? directories.cwd : resolve(directories.cwd, withHome(path, directories));
  if (path !== undefined) touchPattern(found, path, access, directories);
  const pattern = textAt(input, key) ?? "";
  if (directoryPart(pattern) !== "") touchPattern(found, pattern, "list", { ...directories, cwd: base });
  if (found.paths.size === 0 && !isFull(found)) touch(found, base, ".", "list");
}

function touchPattern(found: Found, text: string, access: Access, directories: Directories): void {
  const path = nativePath(withHome(text, directories));
  const star = indexOfAny(path, "*?[{");
  const value: Value = star === -1 ? { text: path, rest: "" } : { text: path.slice(0, star), rest: "pattern" };
  touchValue(initialState(directories, found), value, access);
}

function withHome(path: string, { home }: Directories): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

/** Relative paths are relative to the call's working directory, if it names one. */
function directoriesOf(input: Table, isForShell: boolean, outer: Directories): Directories {
  const keys = ["workdir", "cwd", "working_directory", ...(isForShell ? ["directory", "dir_path"] : [])];
  const named = keys.map((key) => textAt(input, key)).find((directory) => directory !== undefined);
  return named === undefined ? outer : { ...outer, cwd: resolve(outer.cwd, withHome(named, outer)) };
}

function textAt(input: Table, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" && value !== "" && value.length <= 4096 && !value.includes("\0") ? value : undefined;
}

function isPatchTool(name: string): boolean {
  return name === "apply_patch" || name === "applypatch" || name === "patch";
}

const SHELL_TOOLS = new Set([
  "bash",
  "shell",
  "local_shell",
  "exec",
  "exec_command",
  "container.exec",
  "execute_command",
  "run_command",
  "run_shell_command",
  "run_terminal_cmd",
  "run_in_terminal",
  "runinterminal",
  "terminal",
  "monitor",
  "powershell",
  "pwsh",
]);

function isPowerShell(name: string): boolean {
  return name === "powershell" || name === "pwsh";
}

function isShell(name: string): boolean {
  return SHELL_TOOLS.has(name) || name.endsWith("_bash") || name.endsWith("_shell");
}

const WRITING = /write|edit|create|delete|remove|move|rename|replace|insert|append|update|patch|copy|^save/;
const LISTING = /list|search|find|glob|tree|director/;

/** What a tool's name implies; otherwise it reads. */
function accessOf(name: string): Access {
  if (WRITING.test(name)) return "write";
  return LISTING.test(name) ? "list" : "read";
}

/** How deep, and how many values of, a tool's input are examined. */
const MAX_DEPTH = 6;
const MAX_VALUES = 4096;

type Search = {
  readonly found: Found;
  readonly access: Access;
  readonly directories: Directories;
  values: number;
};

/** Finds paths in the input of an unknown tool, by the names of its keys. */
function searchRecord(search: Search, record: object, depth: number): void {
  // It was JSON, so its keys are its own; it may have millions.
  for (const key in record) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    searchValue(search, record[key as keyof typeof record], kindOfKey(key), depth);
  }
}

function searchValue(search: Search, value: unknown, kind: Kind, depth: number): void {
  if (typeof value === "string") return touchNamed(search, value, kind);
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return;
  if (!Array.isArray(value)) return searchRecord(search, value, depth + 1);
  for (const item of value) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    searchValue(search, item, kind, depth + 1);
  }
}

function touchNamed({ found, access, directories: { cwd, home } }: Search, value: string, kind: Kind): void {
  if (kind === "other" || value.length > 4096) return;
  let path = nativePath(value);
  if (value.startsWith("file://")) path = pathOfUri(value);
  else if (kind === "uri" || hasScheme(value)) return;
  else if (kind === "likely" && !looksLikePath(exactly(value))) return;
  else if (value === "~" || value.startsWith("~/")) path = home + value.slice(1);
  // Several lines are text, not a path.
  if (path.includes("\n")) return;
  const star = indexOfAny(path, "*?");
  if (star !== -1) path = directoryPart(path, star) || ".";
  touch(found, cwd, path, kind === "directory" && access === "read" ? "list" : access);
}

/** What a key's name says about its value. A `likely` key has paths and other things. */
type Kind = "path" | "directory" | "uri" | "likely" | "other";

/** By names in lower case without hyphens and underscores. */
const KINDS = byName<Kind>([
  ["filename, filenames, notebook, document", "path"],
  ["dir, dirs, folder, root, roots", "directory"],
  ["uri, uris, fileuri", "uri"],
  ["source, sources, src, destination, dest, dst, target, targets, from, to, include, location", "likely"],
  ["xpath, jsonpath, keypath, classpath, urlpath, profile", "other"],
  // Where the tool runs is known already.
  ["cwd, workdir, workingdirectory", "other"],
]);

function kindOfKey(key: string): Kind {
  // No key for a path has a name this long.
  if (key.length > 64) return "other";
  const name = key.replaceAll(/[_-]/g, "").toLowerCase();
  const known = KINDS.get(name);
  if (known !== undefined) return known;
  if (/(?:path|file)s?$/.test(name)) return "path";
  return /(?:directory|directories|folders?)$/.test(name) ? "directory" : "other";
}
