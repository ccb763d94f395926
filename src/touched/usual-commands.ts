import { resolve, sep } from "node:path";
import { plainCommands } from "./plain-commands.ts";
import type { ResolvedCommand, Value } from "./shell/state.ts";
import type { Access, TouchedPath } from "./touched.ts";

/** Far below any limit of those that `pathsOfToolUse` keeps to. */
const MAX_LENGTH = 2000;
/** What says where a shell's command runs, if anything does. */
const PLACE_KEYS = ["workdir", "cwd", "working_directory", "directory", "dir_path"];

/**
 * What agents run most: `cd src && sed -n 1,80p a.ts | head`. Gives the same answer as `pathsOfToolUse` (a property
 * test), without loading the rules of other programs. Undefined for everything else.
 */
export function usualPaths(tool: string, input: unknown, cwd: string): TouchedPath[] | undefined {
  if ((tool !== "Bash" && tool !== "bash") || typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  for (const key of PLACE_KEYS) if (fields[key] !== undefined) return undefined;
  const command = fields["command"];
  if (sep !== "/" || typeof command !== "string" || command.length > MAX_LENGTH) return undefined;
  const commands = plainCommands(command);
  if (commands === undefined) return undefined;
  const places = new Map<string, Access>();
  let directory = resolve(cwd);
  for (const each of commands) {
    const after = runUsual(each, directory, places);
    if (after === undefined) return undefined;
    directory = after;
  }
  const paths: TouchedPath[] = [];
  for (const [path, access] of places) if (!path.startsWith("/dev/")) paths.push({ path, access });
  return paths;
}

/** Where the shell is after it; undefined for a command that is not a usual one. */
function runUsual(command: ResolvedCommand, directory: string, places: Map<string, Access>): string | undefined {
  const { args, files, input, isPiped } = command;
  const program = args[0]?.text;
  const usage = program === "cd" ? CD : usageOf(program);
  // A heredoc in a pipe may be a patch.
  if (usage === undefined || (input.length > 0 && isPiped)) return undefined;
  let [operands, isHere, last] = [0, usage.here === true, ""];
  for (let index = 1; index < args.length; index++) {
    const { text, rest } = args[index] as Value;
    // Patches, and the placeholder of `find` and `xargs`.
    if (text.startsWith("*** ") || text.includes("{}")) return undefined;
    if (usage === NOTHING || (text === "-" && usage !== CD)) continue;
    // Line numbers.
    if (rest !== "" || text.startsWith("+")) return undefined;
    if (text.startsWith("-")) {
      if (usage === CD || text[1] === "-" || text.includes(" ")) return undefined;
      for (let at = 1; at < text.length; at++) {
        const letter = text[at] as string;
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
    note(places, last, usage.access);
  }
  if (usage === CD && operands !== 1) return undefined;
  if (isHere && operands <= usage.leading) note(places, directory, "list");
  for (const { value, access } of files) {
    const { text, rest } = value;
    if (rest !== "" || text === "" || text.includes("{}")) return undefined;
    if (text !== "-") note(places, resolve(directory, text), access);
  }
  return usage !== CD || isPiped || last === "" ? directory : last;
}

function note(places: Map<string, Access>, path: string, access: Access): void {
  const known = places.get(path);
  if (known === undefined || access === "write" || known === "list") places.set(path, access);
}

interface Usage {
  readonly access: "read" | "list";
  /** Operands before the first path: a pattern, a script. */
  readonly leading: number;
  /** Options that take the next word, and those that make it another thing. */
  readonly values: string;
  readonly other: string;
  /** Without a path it looks at the directory it runs in: always, or under this option. */
  readonly here: true | string;
}

/** Programs that touch no files, like `echo`. */
const NOTHING: Usage = { access: "list", leading: 0, values: "", other: "", here: "" };
const CD: Usage = { access: "list", leading: 0, values: "", other: "", here: "" };

/** As `program-rules.ts` has it, but for what is left to it. */
function usageOf(program: string | undefined): Usage | undefined {
  switch (program) {
    case "echo":
    case "printf":
    case "true":
    case "pwd":
      return NOTHING;
    case "cat":
    case "nl":
      return { access: "read", leading: 0, values: "", other: "", here: "" };
    case "wc":
      return { access: "list", leading: 0, values: "", other: "", here: "" };
    case "head":
    case "tail":
      return { access: "read", leading: 0, values: "ncs", other: "", here: "" };
    case "sed":
      return { access: "read", leading: 1, values: "l", other: "efi", here: "" };
    case "grep":
      return { access: "read", leading: 1, values: "ABCmdD", other: "efR", here: "r" };
    case "rg":
      return { access: "read", leading: 1, values: "gtTABCMmjEdr", other: "ef", here: true };
    case "ls":
      return { access: "list", leading: 0, values: "Iw", other: "", here: true };
    default:
      return undefined;
  }
}
