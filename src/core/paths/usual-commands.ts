import { resolve, sep } from "node:path";
import { plainCommands, type PlainCommand } from "./plain-commands.ts";
import type { Access, TouchedPath } from "./touched.ts";

/** Far below any limit of those that `pathsOfToolUse` keeps to. */
const MAX_LENGTH = 2000;
/** What says where a shell's command runs, if anything does. */
const PLACE_KEYS = ["workdir", "cwd", "working_directory", "directory", "dir_path"];

/**
 * What agents have a shell do most: `cd src && sed -n 1,80p a.ts | head`. The same as `pathsOfToolUse`, of which a
 * property test makes sure, before the shell's grammar and the rules of all other programs are loaded.
 * Undefined for everything else.
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
function runUsual({ args, isPiped }: PlainCommand, directory: string, places: Map<string, Access>): string | undefined {
  const program = args[0]?.text;
  const usage = program === "cd" ? CD : usageOf(program);
  if (usage === undefined) return undefined;
  let [operands, isHere, last] = [0, usage.here === true, ""];
  for (let index = 1; index < args.length; index++) {
    const { text } = args[index] as { readonly text: string };
    // Patches, line numbers, and what `find` and `xargs` put something in the place of.
    if (text.startsWith("*** ") || text.startsWith("+") || text.includes("{}")) return undefined;
    if (text === "-" && usage !== CD) continue;
    if (text.startsWith("-")) {
      if (usage === CD || text[1] === "-") return undefined;
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
    if (usage.access === "read" || !places.has(last)) places.set(last, usage.access);
  }
  if (usage === CD) return operands !== 1 ? undefined : isPiped || last === "" ? directory : last;
  if (isHere && operands <= usage.leading && !places.has(directory)) places.set(directory, "list");
  return directory;
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

const CD: Usage = { access: "list", leading: 0, values: "", other: "", here: "" };

/** As `program-rules.ts` has it, but for what is left to it. */
function usageOf(program: string | undefined): Usage | undefined {
  switch (program) {
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
