import { resolve, sep } from "node:path";
import { isTable } from "../lib/table.ts";
import { touchCommand, touchProgram } from "./command.ts";
import { looksLikePath } from "./likely-path.ts";
import { patchPaths } from "./patch.ts";
import { directoryPart, initialState, touchValue, exactly, type Place, type Value } from "./shell/state.ts";
import {
  isFull,
  nothingFound,
  touch,
  touchedPaths,
  indexOfAny,
  hasScheme,
  type Access,
  type Found,
  type TouchedPath,
} from "./touched.ts";

/** A tool call as a client's event has it. */
export type ToolUse = Place & { readonly tool: string; readonly input: unknown };

/** What a tool call touches; undefined when that takes the grammar of shells. */
export function plainPathsOfToolUse(use: ToolUse): TouchedPath[] | undefined {
  const found = nothingFound();
  touchToolUse(found, use);
  return found.isUnread ? undefined : touchedPaths(found);
}

/** As a part of a larger search. */
export function touchToolUse(found: Found, { tool, input, cwd, home, root = cwd }: ToolUse): void {
  const place: Place = { cwd: resolve(cwd), home: resolve(cwd, home), root: resolve(cwd, root) };
  if (typeof input === "string") touchText(found, tool, input, place);
  else if (isTable(input)) touchInput(found, tool, input, place);
}

/** Whether a tool runs commands of a shell. */
export function runsShell(tool: string): boolean {
  return isShell(verbOf(tool));
}

type Input = Readonly<Record<string, unknown>>;

function touchInput(found: Found, tool: string, input: Input, outer: Place): void {
  const name = verbOf(tool);
  const place = placeOf(input, isShell(name), outer);
  if (place.cwd !== outer.cwd) touch(found, place.cwd, ".", "list");
  if (tool === "Glob") touchSearch(found, input, "pattern", "list", place);
  else if (tool === "Grep") touchSearch(found, input, "glob", "read", place);
  else if (tool === "LS") touchPattern(found, textOf(input, "path") ?? ".", "list", place);
  else if (isShell(name)) {
    const command = input["command"] ?? input["cmd"];
    if (typeof command === "string") touchCommand(found, command, place);
    else if (Array.isArray(command)) touchArguments(found, command, place);
    else if (isTable(input["action"])) touchInput(found, tool, input["action"], place);
  } else if (isPatchTool(name)) {
    const patch = input["command"] ?? input["input"] ?? input["patch"] ?? input["patchText"];
    const text: unknown = Array.isArray(patch) ? patch.at(-1) : patch;
    if (typeof text === "string") touchText(found, tool, text, place);
  } else argumentPaths(found, input, accessOf(name), place);
}

/** A shell's command, a patch, or nothing that we know. */
function touchText(found: Found, tool: string, text: string, place: Place): void {
  const name = verbOf(tool);
  if (isPatchTool(name)) for (const { path, access } of patchPaths(text)) touch(found, place.cwd, path, access);
  else if (isShell(name)) touchCommand(found, text, place);
}

function touchArguments(found: Found, values: readonly unknown[], place: Place): void {
  const args: string[] = [];
  for (const value of values) if (typeof value === "string" && args.length < 4096) args.push(value);
  touchProgram(found, args, place);
}

/** Where a search starts, and what its pattern says of how far down. */
function touchSearch(found: Found, input: Input, key: "pattern" | "glob", access: Access, place: Place): void {
  const path = textOf(input, "path");
  const base = path === undefined ? place.cwd : resolve(place.cwd, withHome(path, place));
  if (path !== undefined) touchPattern(found, path, access, place);
  const pattern = textOf(input, key);
  if (pattern !== undefined && directoryPart(pattern) !== "")
    touchPattern(found, pattern, "list", { ...place, cwd: base });
  if (found.places.size === 0 && !isFull(found)) touch(found, base, ".", "list");
}

function touchPattern(found: Found, text: string, access: Access, place: Place): void {
  const path = withHome(text, place);
  const star = indexOfAny(path, "*?[{");
  const value: Value = star === -1 ? { text: path, rest: "" } : { text: path.slice(0, star), rest: "pattern" };
  touchValue(initialState(place, found), value, access);
}

function withHome(path: string, place: Place): string {
  return path === "~" || path.startsWith("~/") ? place.home + path.slice(1) : path;
}

/** Relative paths are relative to where the call runs, if it says so. */
function placeOf(input: Input, isForShell: boolean, place: Place): Place {
  const named = textOf(input, "workdir") ?? textOf(input, "cwd") ?? textOf(input, "working_directory");
  const directory = named ?? (isForShell ? (textOf(input, "directory") ?? textOf(input, "dir_path")) : undefined);
  return directory === undefined ? place : { ...place, cwd: resolve(place.cwd, withHome(directory, place)) };
}

function textOf(input: Input, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" && value !== "" && value.length <= 4096 && !value.includes("\0") ? value : undefined;
}

/** `mcp__server__write_file` is `write_file`. */
function verbOf(tool: string): string {
  const server = tool.lastIndexOf("__");
  return (server === -1 ? tool : tool.slice(server + 2)).toLowerCase();
}

function isPatchTool(name: string): boolean {
  return name === "apply_patch" || name === "applypatch" || name === "patch";
}

function isShell(name: string): boolean {
  switch (name) {
    case "bash":
    case "shell":
    case "local_shell":
    case "exec":
    case "exec_command":
    case "container.exec":
    case "execute_command":
    case "run_command":
    case "run_shell_command":
    case "run_terminal_cmd":
    case "run_in_terminal":
    case "runinterminal":
    case "terminal":
    case "monitor":
      return true;
    default:
      return name.endsWith("_bash") || name.endsWith("_shell");
  }
}

/** What a tool's name promises; where it promises nothing it reads. */
function accessOf(name: string): Access {
  for (const word of ["write", "edit", "create", "delete", "remove", "move", "rename", "replace", "insert", "append"]) {
    if (name.includes(word)) return "write";
  }
  if (name.includes("update") || name.includes("patch") || name.startsWith("save") || name.includes("copy"))
    return "write";
  for (const word of ["list", "search", "find", "glob", "tree", "director"]) if (name.includes(word)) return "list";
  return "read";
}

/** How deep and how many values of a tool's input are looked at. */
const MAX_DEPTH = 6;

const MAX_VALUES = 4096;

type Search = {
  readonly found: Found;
  readonly access: Access;
  readonly cwd: string;
  readonly home: string;
  values: number;
};

/** The paths in the arguments of a tool that we know nothing of, by the names of its keys. */
export function argumentPaths(
  found: Found,
  input: object,
  access: Access,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): void {
  searchRecord({ found, access, cwd, home, values: 0 }, input, 0);
}

function searchRecord(search: Search, record: object, depth: number): void {
  // Out of JSON, so its keys are its own.
  for (const key in record) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    const value: unknown = record[key as keyof typeof record];
    const kind = kindOfKey(key);
    if (typeof value === "string") touchNamed(search, value, kind);
    else if (typeof value === "object" && value !== null) searchInside(search, value, kind, depth + 1);
  }
}

function searchInside(search: Search, value: object, kind: Kind, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (!Array.isArray(value)) return searchRecord(search, value, depth);
  for (const item of value) {
    if (++search.values > MAX_VALUES || isFull(search.found)) return;
    if (typeof item === "string") touchNamed(search, item, kind);
    else if (typeof item === "object" && item !== null) searchInside(search, item, kind, depth + 1);
  }
}

/** `likely`: under such a key there are other things as well. */
type Kind = "path" | "directory" | "uri" | "likely" | "other";

function touchNamed({ found, access, cwd, home }: Search, value: string, kind: Kind): void {
  if (kind === "other" || value.length > 4096) return;
  let path = value;
  if (value.startsWith("file://")) path = pathOfUri(value);
  else if (kind === "uri" || hasScheme(value)) return;
  else if (kind === "likely" && !looksLikePath(exactly(value))) return;
  else if (value === "~" || value.startsWith("~/")) path = home + value.slice(1);
  // A path of several lines is a text.
  if (path.includes("\n")) return;
  const star = indexOfAny(path, "*?");
  if (star !== -1) path = directoryPart(path, star) || ".";
  touch(found, cwd, path, kind === "directory" && access === "read" ? "list" : access);
}

function kindOfKey(key: string): Kind {
  // Whoever writes keys of this length writes no paths under them.
  if (key.length > 64) return "other";
  if (key === "file_path" || key === "path") return "path";
  const name = plainName(key);
  switch (name) {
    case "xpath":
    case "jsonpath":
    case "keypath":
    case "classpath":
    case "urlpath":
    case "profile":
    // Where the tool runs is known already.
    case "cwd":
    case "workdir":
    case "workingdirectory":
      return "other";
    case "uri":
    case "uris":
    case "fileuri":
      return "uri";
    case "dir":
    case "dirs":
    case "folder":
    case "root":
    case "roots":
      return "directory";
    case "filename":
    case "filenames":
    case "notebook":
    case "document":
      return "path";
    case "source":
    case "sources":
    case "destination":
    case "dest":
    case "src":
    case "dst":
    case "target":
    case "targets":
    case "from":
    case "to":
    case "include":
    case "location":
      return "likely";
    default:
  }
  if (endsInOne(name, "path") || endsInOne(name, "file")) return "path";
  return endsInOne(name, "directory") || name.endsWith("directories") || endsInOne(name, "folder")
    ? "directory"
    : "other";
}

/** In small letters, without what joins its words. */
function plainName(key: string): string {
  let name = "";
  for (let index = 0; index < key.length; index++) {
    const char = key[index] as string;
    if (char !== "_" && char !== "-") name += char;
  }
  return name.toLowerCase();
}

function endsInOne(name: string, word: string): boolean {
  return name.endsWith(word) || name.endsWith(`${word}s`);
}

/** Of this machine; escapes that mean nothing leave it as it is written. */
function pathOfUri(uri: string): string {
  const slash = uri.indexOf("/", 7);
  if (slash === -1) return "";
  // `file:///C:/Users`: what stands before the drive's letter is no part of the path.
  const path = uri.slice(sep !== "/" && /^\/[a-z](?::|%3a)/i.test(uri.slice(slash)) ? slash + 1 : slash);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
