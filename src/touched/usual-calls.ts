import { resolve, sep } from "node:path";
import { byName } from "../lib/table.ts";
import { plainCommands } from "./plain-command.ts";
import type { ResolvedCommand, Value } from "./shell/state.ts";
import type { Access, TouchedPath } from "./paths.ts";

// The tool calls that agents make most: a file argument, and a plain command of a common program. The answer is the same
// as that of `pathsOfToolUse()`, but hardly any hook has to load the rules of all other programs. Every function returns
// undefined for calls that it leaves to that code.

/** What a tool does with the one file that its `file_path` names; undefined for other tools. */
export function fileToolAccess(tool: string): "read" | "write" | undefined {
  if (tool === "Read") return "read";
  return tool === "Edit" || tool === "Write" || tool === "MultiEdit" ? "write" : undefined;
}

export function usualPaths(tool: string, input: unknown, cwd: string): TouchedPath[] | undefined {
  if (sep !== "/" || typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const access = fileToolAccess(tool);
  if (access !== undefined) return fileArgument(fields["file_path"], access, cwd);
  return tool === "Bash" || tool === "bash" ? commandPaths(fields, cwd) : undefined;
}

function fileArgument(path: unknown, access: Access, cwd: string): TouchedPath[] | undefined {
  const isPlain = typeof path === "string" && path.startsWith("/") && path.length <= 4096 && !path.includes("\0");
  return isPlain ? [{ path: resolve(cwd, path), access }] : undefined;
}

/** Short enough that no limit on paths or work is reached. */
const MAX_LENGTH = 2000;

/** Arguments that name a command's directory. */
const DIRECTORY_KEYS = ["workdir", "cwd", "working_directory", "directory", "dir_path"];

/** `cd src && sed -n 1,80p a.ts | head` */
function commandPaths(fields: Readonly<Record<string, unknown>>, cwd: string): TouchedPath[] | undefined {
  for (const key of DIRECTORY_KEYS) if (fields[key] !== undefined) return undefined;
  const command = fields["command"];
  const commands = typeof command === "string" && command.length <= MAX_LENGTH ? plainCommands(command) : undefined;
  if (commands === undefined) return undefined;
  const found = new Map<string, Access>();
  let directory: string | undefined = resolve(cwd);
  for (const each of commands) {
    directory = runUsual(each, directory, found);
    if (directory === undefined) return undefined;
  }
  const paths: TouchedPath[] = [];
  for (const [path, access] of found) if (!path.startsWith("/dev/")) paths.push({ path, access });
  return paths;
}

/** Returns the directory in which the shell is afterwards. */
function runUsual(command: ResolvedCommand, directory: string, found: Map<string, Access>): string | undefined {
  const { args, files, input, isPiped } = command;
  const usage = usageOf(args[0]?.text ?? "");
  // A heredoc in a pipe may be a patch.
  if (usage === undefined || (input.length > 0 && isPiped)) return undefined;
  let [operands, isHere, last] = [0, usage.here === true, ""];
  for (let index = 1; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    // Patches, and the placeholder of `find` and `xargs`.
    if (text.startsWith("*** ") || text.includes("{}")) return undefined;
    if (usage === NOTHING || (text === "-" && usage !== CD)) continue;
    // `+10` is a line number.
    if (rest !== "" || text.startsWith("+")) return undefined;
    if (text.startsWith("-")) {
      if (usage === CD || text[1] === "-" || text.includes(" ")) return undefined;
      for (const letter of text.slice(1)) {
        if (usage.other.includes(letter)) return undefined;
        if (letter === usage.here) isHere = true;
        if (!usage.values.includes(letter)) continue;
        if (text.length > 2) return undefined;
        index++;
      }
      continue;
    }
    if (operands++ < usage.leading || text === "") continue;
    last = resolve(directory, text);
    add(found, last, usage.access);
  }
  if (usage === CD && operands !== 1) return undefined;
  if (isHere && operands <= usage.leading) add(found, directory, "list");
  for (const { value, access } of files) {
    const { text, rest } = value;
    if (rest !== "" || text === "" || text.includes("{}")) return undefined;
    if (text !== "-") add(found, resolve(directory, text), access);
  }
  return usage !== CD || isPiped || last === "" ? directory : last;
}

function add(found: Map<string, Access>, path: string, access: Access): void {
  const known = found.get(path);
  if (known === undefined || access === "write" || known === "list") found.set(path, access);
}

/** What a program does with its arguments: the simple part of its rule in `programs/`. */
interface Usage {
  readonly access: "read" | "list";
  /** Operands before the first path: a pattern, a script. */
  readonly leading: number;
  /** Options that take the next word. */
  readonly values: string;
  /** Options that change the meaning of the operands. */
  readonly other: string;
  /** Without a path it examines the working directory: always, or with this option. */
  readonly here: true | string;
}

const READING: Usage = { access: "read", leading: 0, values: "", other: "", here: "" };
const LISTING: Usage = { ...READING, access: "list" };
const CD: Usage = { ...LISTING };
/** Touches no files. */
const NOTHING: Usage = { ...LISTING };

let usages: ReadonlyMap<string, Usage> | undefined;

/** Made for the first command that is looked at: most calls bring none. */
function usageOf(command: string): Usage | undefined {
  usages ??= byName<Usage>([
    ["echo, printf, true, pwd", NOTHING],
    ["cd", CD],
    ["cat, nl", READING],
    ["wc", LISTING],
    ["head, tail", { ...READING, values: "ncs" }],
    ["sed", { ...READING, leading: 1, values: "l", other: "efi" }],
    ["grep", { ...READING, leading: 1, values: "ABCmdD", other: "efR", here: "r" }],
    ["rg", { ...READING, leading: 1, values: "gtTABCMmjEdr", other: "ef", here: true }],
    ["ls", { ...LISTING, values: "Iw", here: true }],
  ]);
  return usages.get(command);
}
