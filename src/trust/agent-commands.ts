import { isTable } from "../lib/table.ts";

/** Words in an agent definition that run something on the user's machine, or may have an engine run it. */
export interface AgentCommand {
  /** Where they stand: `connection.command`. */
  readonly key: string;
  readonly words: readonly string[];
  /** Words of another key that they are put behind. */
  readonly behind: readonly string[];
  /** A program and its words; further words for an engine's own command line; tools that the engine need not ask for. */
  readonly kind: "command" | "arguments" | "tools";
}

/**
 * The commands of a definition, which may not be valid: what is no list of words is none, and would not be run.
 *
 * @input  definition: the data of an `agent.json`
 */
export function commandsIn(definition: unknown): AgentCommand[] {
  const { connection, steps } = tableOf(definition);
  const { engine, command, args, allowedTools } = tableOf(connection);
  const behind = engine === "command" ? wordsOf(command) : [];
  const kind = engine === "command" ? "command" : "arguments";
  const found: AgentCommand[] = [
    { key: "connection.command", words: wordsOf(command), behind: [], kind: "command" },
    { key: "connection.args", words: wordsOf(args), behind, kind },
    { key: "connection.allowedTools", words: wordsOf(allowedTools), behind: [], kind: "tools" },
  ];
  for (const [step, value] of Object.entries(tableOf(steps))) {
    const check = tableOf(tableOf(value)["check"]);
    found.push({ key: `steps.${step}.check.command`, words: wordsOf(check["command"]), behind: [], kind: "command" });
  }
  return found.filter(({ words }) => words.length > 0);
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return isTable(value) ? value : {};
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : [];
}
