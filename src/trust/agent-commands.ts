import { isAbsolute, join, posix } from "node:path";
import { parseJsonc } from "../lib/jsonc.ts";
import { limitParsing } from "../lib/parse-limit.ts";
import { isTable, valueAt } from "../lib/table.ts";
import type { World } from "../world.ts";
import type { SubjectFile } from "./verify.ts";

/** Words in an agent definition that run something on the user's machine, or allow an engine to run it. */
export interface AgentCommand {
  /** Their key in the definition: `connection.command`. */
  readonly key: string;
  readonly words: readonly string[];
  /** The words of another key that come before these on the command line. */
  readonly behind: readonly string[];
  /** A program with its arguments; more arguments for an engine; tools that the engine may use without asking. */
  readonly kind: "command" | "arguments" | "tools";
}

/** The commands in the data of an `agent.json`, which need not be valid: anything but a list of words is never run. */
export function commandsIn(definition: unknown): AgentCommand[] {
  const wordsAt = (...keys: readonly string[]) => wordsOf(valueAt(definition, ...keys));
  const command = wordsAt("connection", "command");
  const isCommandEngine = valueAt(definition, "connection", "engine") === "command";
  const steps = valueAt(definition, "steps");
  const found: AgentCommand[] = [
    { key: "connection.command", words: command, behind: [], kind: "command" },
    {
      key: "connection.args",
      words: wordsAt("connection", "args"),
      behind: isCommandEngine ? command : [],
      kind: isCommandEngine ? "command" : "arguments",
    },
    { key: "connection.allowedTools", words: wordsAt("connection", "allowedTools"), behind: [], kind: "tools" },
    ...Object.keys(isTable(steps) ? steps : {}).map((step): AgentCommand => {
      const words = wordsAt("steps", step, "check", "command");
      return { key: `steps.${step}.check.command`, words, behind: [], kind: "command" };
    }),
  ];
  return found.filter(({ words }) => words.length > 0);
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : [];
}

/** As much as the loader of definitions reads. */
const MAX_DEFINITION_BYTES = 256 * 1024;

/** The same for a definition's files. Without a valid `agent.json`, nothing runs. */
export function commandsOf(world: World, files: readonly SubjectFile[]): AgentCommand[] {
  const file = files.find(({ path }) => path === "agent.json");
  if (file === undefined || file.sizeBytes > MAX_DEFINITION_BYTES) return [];
  const text = new TextDecoder().decode(file.bytes);
  const parsed = limitParsing(world)(() => parseJsonc(text));
  return parsed.kind === "data" ? commandsIn(parsed.data) : [];
}

/**
 * The commands as they will run: a word that names a file of the definition becomes the path of its copy below `own`.
 */
export function withOwnFiles(
  commands: readonly AgentCommand[],
  files: readonly SubjectFile[],
  own: string,
): AgentCommand[] {
  const names = new Set(files.map(({ path }) => path));
  return mapWords(commands, (word) => (!isAbsolute(word) && names.has(posix.normalize(word)) ? join(own, word) : word));
}

export function mapWords(commands: readonly AgentCommand[], change: (word: string) => string): AgentCommand[] {
  return commands.map(({ key, words, behind, kind }) => {
    return { key, words: words.map(change), behind: behind.map(change), kind };
  });
}
