import type { FlagValues } from "../cli/args.ts";
import type { Command, Invocation, Outcome, Problem } from "../command.ts";
import { jsonText } from "../lib/escape.ts";
import { isTable, type Table } from "../lib/table.ts";
import { renderPermissionReminder } from "../skills/render.ts";
import type { World } from "../world.ts";
import type { ToolName, ToolRequest } from "./schema.ts";

/** The result of a tool, as the protocol defines it. */
interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** Clients that understand it show the model nothing else. */
  readonly structuredContent?: Table;
  readonly isError?: true;
}

/** The command behind each tool, loaded on its first call. */
export type ToolCommands = Readonly<Record<ToolName, () => Promise<Command>>>;

/**
 * Runs the command behind a tool with `--json`; its output becomes the tool's result.
 *
 * @input  answer: takes the result; false when the client has disconnected
 * @effect those of the command; what it tells is recorded after `answer` has taken it
 * @error  CodeliaError
 */
export async function callTool(
  world: World,
  request: ToolRequest,
  flags: FlagValues,
  commands: ToolCommands,
  answer: (result: ToolResult) => boolean,
): Promise<void> {
  const notes: string[] = [];
  let isAnswered = false;
  const inCall: World = {
    ...worldOfCall(world),
    complain: (text) => void (isAnswered ? world.complain(text) : notes.push(text)),
    write(data) {
      isAnswered = true;
      return answer(resultOf(request.tool, data, notes.splice(0)));
    },
  };
  const command = await commands[request.tool]();
  const outcome = await command.run(inCall, invocationOf(request, flags));
  for (const note of notes) world.complain(note);
  if (!isAnswered) answer(failure(outcome));
}

/** What every call has in common. */
function worldOfCall(world: World): World {
  return {
    ...world,
    // The server never changes directory: relative paths would lead elsewhere for every later call.
    changeDirectory: undefined,
    // Standard input carries the protocol, so nobody can be asked.
    readStdin: () => new Uint8Array(),
    isTerminal: () => false,
  };
}

export function failed(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: "text", text })), isError: true };
}

function invocationOf(request: ToolRequest, common: FlagValues): Invocation {
  const flags = { ...common, json: true };
  switch (request.tool) {
    case "agents_resolve": {
      // A lone `-` would mean standard input.
      const operands = request.input.paths.map((path) => (path === "-" ? "./-" : path));
      return { flags, operands };
    }
    case "skill_search": {
      const { query, limit, scope } = request.input;
      const more = { ...(limit && { limit: String(limit) }), ...(scope && { scope }) };
      return { flags: { ...flags, ...more }, operands: [query] };
    }
    case "skill_load": {
      const { name, path, again = false } = request.input;
      return { flags: { ...flags, again }, operands: [path ?? name ?? ""] };
    }
  }
}

function resultOf(tool: ToolName, data: string | Uint8Array, notes: readonly string[]): ToolResult {
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const parsed: unknown = JSON.parse(text);
  const table = isTable(parsed) ? parsed : {};
  if (tool !== "skill_load") {
    const sentences = notes.map((note) => note.replace(/^codelia: /, "").trimEnd());
    const structuredContent = sentences.length === 0 ? table : { ...table, notes: sentences };
    return { content: [{ type: "text", text: jsonText(structuredContent) }], structuredContent };
  }
  const { context, ...metadata } = table;
  if (typeof context !== "string") return failed("skills are off: 'skills.enabled' is false");
  return {
    content: [
      { type: "text", text: context },
      { type: "text", text: jsonText(metadata) },
    ],
  };
}

/** The error as `--json` prints it, after a reminder if a permission rule decided. */
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

/** An event of a client, as its hook sends it. */
export interface HookCall {
  /** As in `codelia hook NAME`. */
  readonly client: string;
  /** As in `--part`. */
  readonly part: string | undefined;
  readonly given: Table;
  /** The client's own data about the call, besides the arguments. */
  readonly meta: Table;
}

/** Answers one event as `codelia hook` does, by printing; or returns a function that will answer it. */
export type AnswerHook = (world: World, call: HookCall) => Promise<AnswerLater | undefined>;

/** Answers while other calls are answered, unless the signal aborts it. */
type AnswerLater = (signal: AbortSignal) => Promise<void>;

/** The call in a tool's arguments; undefined if it names no client. */
export function readHookCall({ client, part, ...given }: Table, meta: Table): HookCall | undefined {
  if (typeof client !== "string") return undefined;
  return { client, part: typeof part === "string" ? part : undefined, given, meta };
}

/**
 * Answers one event in a world of its own: like a process, it shares no state with the next event. An answer that takes
 * longer continues in the background until `signal` aborts.
 *
 * @input  heardAt: the server's clock when the event came; answer: takes the output, before it is recorded
 */
export async function callHook(
  world: World,
  hook: AnswerHook,
  call: HookCall,
  heardAt: number,
  answer: (text: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { cwd } = call.given;
  const warnings: string[] = [];
  let isAnswered = false;
  const own: World = {
    ...worldOfCall(world),
    cwd: () => (typeof cwd === "string" ? cwd : world.cwd()),
    ticks: () => world.ticks() - heardAt,
    warn: (sentence) => void warnings.push(sentence),
    takeWarnings: () => warnings.splice(0),
    complain: (text) => world.trace("complaint", { text }),
    write(data) {
      isAnswered = true;
      return answer(typeof data === "string" ? data : new TextDecoder().decode(data));
    },
  };
  const conclude = () => {
    if (!isAnswered) answer("");
  };
  const later = await hook(own, call);
  if (later === undefined) conclude();
  else void later(signal).then(conclude);
}
