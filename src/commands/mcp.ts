import type { ArgsDef } from "citty";
import type { Command, Outcome } from "../command.ts";
import { lineCutter, type Line } from "../mcp/messages.ts";
import {
  errorMessage,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  readMessage,
  resultMessage,
  type Message,
} from "../mcp/messages.ts";
import { chooseVersion } from "../mcp/messages.ts";
import { DEFAULT_SESSION, nameContext } from "../ledger/contexts.ts";
import { isTable } from "../lib/table.ts";
import type { FlagValues } from "../cli/flags.ts";
import { clientSessions } from "../clients/session-variables.ts";
import { ownVersion } from "../cli/version.ts";
import { readToolInput, toolSchemas } from "../mcp/schema.ts";
import { jsonLine } from "../lib/escape.ts";
import type { World } from "../world.ts";
import { COMMON_ARGS, textFlag } from "../cli/args.ts";
import { callTool, failed, type ToolCommands } from "../mcp/tools.ts";

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const { cwd, root, session, agent, "no-state": noState, version, help } = COMMON_ARGS;
const ARGS = { cwd, root, session, agent, "no-state": noState, version, help } as const satisfies ArgsDef;

const INSTRUCTIONS =
  "Call agents_resolve with the files you are about to work on, and read and apply the instruction files it names, before you edit there. Call skill_search to find a skill for a task, and skill_load for its text.";

/** What each tool is for. */
const TOOLS = {
  agents_resolve: {
    title: "Instruction files for paths",
    description:
      "Which AGENTS.md instruction files apply to these paths and were not named in this session before. Read and apply the files it names before you edit in their scope; deeper files override higher ones. Nothing new: an empty list.",
  },
  skill_search: { title: "Find skills", description: "Find the skills that fit a query, best first." },
  skill_load: {
    title: "Load a skill",
    description:
      "A skill's instructions, its base directory and its files, by name or path, once per session: after that a short reminder, unless 'again' is true. A name that several skills have is an error that gives their paths.",
  },
} as const;

type ToolName = keyof typeof TOOLS;

const COMMANDS: ToolCommands = {
  agents_resolve: async () => (await import("./resolve.ts")).command,
  skill_search: async () => (await import("./skills-search.ts")).command,
  skill_load: async () => (await import("./skills-load.ts")).command,
};

/**
 * A server of the Model Context Protocol on standard input and output: one request after the other, in their order.
 *
 * @input  JSON-RPC messages, one a line, until standard input ends
 * @output an answer to each request
 * @effect those of `resolve`, `skills search` and `skills load`
 * @error  none: each goes to the client
 */
export const command: Command = {
  meta: {
    name: "mcp",
    description: "Serve agents_resolve, skill_search and skill_load to a client of the Model Context Protocol.",
  },
  args: ARGS,
  maxOperands: 0,
  async run(world, { flags }): Promise<Outcome> {
    const common = { ...flags, session: sessionFor(world, flags) };
    const cutter = lineCutter(MAX_MESSAGE_BYTES);
    for await (const chunk of world.input()) {
      for (const line of cutter.push(chunk)) if (!(await answerLine(world, common, line))) return "ok";
    }
    for (const line of cutter.end()) await answerLine(world, common, line);
    return "ok";
  },
};

/** A server that nobody named a session for is one of its own: what another conversation was told says nothing here. */
function sessionFor(world: World, flags: FlagValues): string {
  const given = {
    session: textFlag(flags["session"]),
    agent: undefined,
    environment: world.env["CODELIA_SESSION_ID"],
    clients: clientSessions(world.env),
  };
  const named = nameContext(given).session;
  return named === DEFAULT_SESSION ? `mcp-${world.random()}` : named;
}

/** False when the client has gone. */
async function answerLine(world: World, flags: FlagValues, line: Line): Promise<boolean> {
  if (line.kind === "too-long") {
    return send(world, errorMessage(null, INVALID_REQUEST, `a message has at most ${MAX_MESSAGE_BYTES} bytes`));
  }
  const words = new TextDecoder().decode(line.bytes).trim();
  if (words === "") return true;
  const message = readMessage(words);
  if (message.kind === "unanswered") return true;
  if (message.kind === "invalid") return send(world, errorMessage(message.id, message.code, message.message));
  world.trace("request", { id: message.id, method: message.method });
  try {
    return await answerRequest(world, flags, message);
  } catch (error) {
    world.trace("request-failed", { message: error instanceof Error ? error.stack : String(error) });
    const said = error instanceof Error ? error.message : String(error);
    return send(world, errorMessage(message.id, INTERNAL_ERROR, said));
  }
}

/** On one line, for every reader of lines. False when the client has gone. */
function send(world: World, message: object): boolean {
  return world.write(jsonLine(message));
}

type Request = Extract<Message, { kind: "request" }>;

async function answerRequest(world: World, flags: FlagValues, request: Request): Promise<boolean> {
  const { id, method, params } = request;
  switch (method) {
    case "initialize": {
      const protocolVersion = chooseVersion(params["protocolVersion"]);
      const serverInfo = { name: "codelia", title: "codelia", version: await ownVersion() };
      const capabilities = { tools: {} };
      return send(world, resultMessage(id, { protocolVersion, capabilities, serverInfo, instructions: INSTRUCTIONS }));
    }
    case "ping":
      return send(world, resultMessage(id, {}));
    case "tools/list":
      if (params["cursor"] !== undefined)
        return send(world, errorMessage(id, INVALID_PARAMS, "there is one page only"));
      return send(world, resultMessage(id, { tools: toolNames().map(describeTool) }));
    case "tools/call":
      return callNamed(world, flags, request);
    default:
      return send(world, errorMessage(id, METHOD_NOT_FOUND, `there is no method '${method}' here`));
  }
}

async function callNamed(world: World, flags: FlagValues, { id, params }: Request): Promise<boolean> {
  const { name, arguments: given = {} } = params;
  const tool = toolNames().find((known) => known === name);
  if (tool === undefined) {
    const message = `no tool is called '${String(name)}'; one of ${toolNames().join(", ")}`;
    return send(world, errorMessage(id, INVALID_PARAMS, message));
  }
  if (!isTable(given)) return send(world, errorMessage(id, INVALID_PARAMS, "'arguments' must be an object"));
  const read = readToolInput(tool, given);
  // The model wrote them: it reads what is wrong, and can do better.
  if (read.kind === "problem")
    return send(world, resultMessage(id, failed(`invalid arguments of ${tool}: ${read.problem}`)));
  let isRead = true;
  await callTool(world, read, flags, COMMANDS, (result) => (isRead = send(world, resultMessage(id, result))));
  return isRead;
}

function toolNames(): ToolName[] {
  return Object.keys(TOOLS) as ToolName[];
}

function describeTool(name: ToolName): object {
  // What they change is our own record of what was said.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, ...TOOLS[name], ...toolSchemas(name), annotations };
}
