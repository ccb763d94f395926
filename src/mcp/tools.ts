import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { isTable, type Table } from "../lib/table.ts";
import type { FlagValues } from "../cli/flags.ts";
import type { ReadInput } from "./schema.ts";
import { renderPermissionReminder } from "../skills/permissions.ts";
import { jsonText } from "../lib/escape.ts";
import type { World } from "../world.ts";

/** What a tool gives back, in the words of the protocol. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** Clients that know it show the model nothing else. */
  readonly structuredContent?: Table;
  readonly isError?: true;
}

/** The commands that the tools stand for, loaded when they are called. */
export type ToolCommands = Readonly<Record<Exclude<ReadInput, { kind: "problem" }>["tool"], () => Promise<Command>>>;

type Input = Exclude<ReadInput, { kind: "problem" }>;

/**
 * Runs the command that a tool stands for, with `--json`, as if called by its name.
 *
 * @input  flags: those of the server, for every command; answer: takes the result, false when its reader has gone
 * @effect those of the command; what it tells is recorded after `answer` has taken it
 * @error  CodeliaError
 */
export async function callTool(
  world: World,
  input: Input,
  flags: FlagValues,
  commands: ToolCommands,
  answer: (result: ToolResult) => boolean,
): Promise<void> {
  const notes: string[] = [];
  let isAnswered = false;
  const inCall: World = {
    ...world,
    // A way back that was lost once would be lost for all calls to come.
    changeDirectory: undefined,
    // The stream is the client's, and nobody is there to be asked.
    readStdin: () => new Uint8Array(),
    isTerminal: () => false,
    complain: (text) => void (isAnswered ? world.complain(text) : notes.push(text)),
    write(data) {
      isAnswered = true;
      return answer(resultOf(input.tool, data, notes.splice(0)));
    },
  };
  const command = await commands[input.tool]();
  const outcome = await command.run(inCall, invocationOf(input, flags));
  for (const note of notes) world.complain(note);
  if (!isAnswered) answer(failure(outcome));
}

export function failed(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: "text", text })), isError: true };
}

function invocationOf(input: Input, common: FlagValues): Invocation {
  const flags = { ...common, json: true };
  switch (input.tool) {
    case "agents_resolve": {
      // `-` alone would mean standard input.
      const operands = input.input.paths.map((path) => (path === "-" ? "./-" : path));
      return { flags, operands };
    }
    case "skill_search": {
      const { query, limit, scope } = input.input;
      const more = { ...(limit && { limit: String(limit) }), ...(scope && { scope }) };
      return { flags: { ...flags, ...more }, operands: [query] };
    }
    case "skill_load": {
      const { name, path, again = false } = input.input;
      return { flags: { ...flags, again }, operands: [path ?? name ?? ""] };
    }
  }
}

function resultOf(tool: Input["tool"], data: string | Uint8Array, notes: readonly string[]): ToolResult {
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const parsed: unknown = JSON.parse(text);
  const table = isTable(parsed) ? parsed : {};
  if (tool !== "skill_load") {
    const said = notes.map((note) => note.replace(/^codelia: /, "").trimEnd());
    const structuredContent = said.length === 0 ? table : { ...table, notes: said };
    return { content: [{ type: "text", text: jsonText(structuredContent) }], structuredContent };
  }
  const { context, ...metadata } = table;
  if (typeof context !== "string") return failed("skills are switched off here: 'skills.enabled' is false");
  return {
    content: [
      { type: "text", text: context },
      { type: "text", text: jsonText(metadata) },
    ],
  };
}

/** The error as `--json` has it; where a rule decided, in the words for that. */
function failure(outcome: Outcome): ToolResult {
  if (typeof outcome === "string") return failed(`it ended with '${outcome}'`);
  const { code, message, details } = outcome;
  const error = jsonText({ error: { code, message, ...details } });
  const reminder = permissionReminder(outcome);
  return reminder === undefined ? failed(error) : failed(reminder, error);
}

function permissionReminder({ code, details = {} }: Problem): string | undefined {
  const { skill: name, path, decision, rule } = details;
  if (code !== "denied" || typeof name !== "string" || typeof path !== "string" || typeof rule !== "string") return;
  if (decision !== "deny" && decision !== "confirm") return undefined;
  return renderPermissionReminder("system-reminder", { name, path, decision, rule });
}
