import { resolve } from "node:path";
import { absolutePath, nativePath } from "../lib/paths.ts";
import { isTable, type Table } from "../lib/table.ts";
import { touchCommand, touchPowerShell, touchProgram } from "./command.ts";
import { touchNamedArguments } from "./named-arguments.ts";
import { patchPaths } from "./patch.ts";
import { directoryPart, initialState, touchValue, type Directories, type Value } from "./shell/state.ts";
import {
  indexOfAny,
  isFull,
  nothingFound,
  touch,
  touchedPaths,
  type Access,
  type Found,
  type TouchedPath,
} from "./paths.ts";

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
  } else touchNamedArguments(found, input, accessOf(name), directories);
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
