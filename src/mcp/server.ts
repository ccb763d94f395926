import type { FlagValues } from "../cli/args.ts";
import { ownVersion } from "../cli/version.ts";
import { HOOK_TOOL } from "../clients/settings/model.ts";
import { jsonLine } from "../lib/escape.ts";
import { lineCutter, type Line } from "../lib/lines.ts";
import { isTable, type Table } from "../lib/table.ts";
import type { World } from "../world.ts";
import { readToolInput, toolSchemas, type ToolName } from "./schema.ts";
import { callHook, readHookCall, type AnswerHook, callTool, failed, type ToolCommands } from "./tools.ts";

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

const INSTRUCTIONS =
  "Call agents_resolve with the files you are about to work on, and read and apply the instruction files it names, before you edit there. Call skill_search to find a skill for a task, and skill_load for its text.";

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
} as const satisfies Record<ToolName, object>;

const TOOL_NAMES = Object.keys(TOOLS) as ToolName[];

/** What every call shares. */
interface Service {
  /** The server's own flags, passed on to every command. */
  readonly flags: FlagValues;
  readonly commands: ToolCommands;
  /** Whether the model may call it, or only hooks. */
  readonly hasTools: boolean;
  readonly hook: AnswerHook;
}

interface Serving extends Service {
  /** Aborts what is still running when the client is gone. */
  readonly signal: AbortSignal;
}

/** After a shorter wait, in milliseconds, the input counts as having been there already. */
const AT_ONCE_MS = 0.5;

/**
 * Serves the Model Context Protocol on standard input and output, one request at a time, until standard input ends or
 * the client disconnects.
 *
 * @effect those of the tools' commands; every error is sent to the client
 */
export async function serve(world: World, service: Service): Promise<void> {
  const ending = new AbortController();
  try {
    await serveInput(world, { ...service, signal: ending.signal });
  } finally {
    ending.abort();
  }
}

async function serveInput(world: World, service: Serving): Promise<void> {
  const cutter = lineCutter(MAX_MESSAGE_BYTES);
  let idleSince = world.ticks();
  let heardAt = idleSince;
  for await (const chunk of world.input()) {
    // Input that came while another request was answered is as old as that one: both were sent at once.
    const now = world.ticks();
    if (now - idleSince > AT_ONCE_MS) heardAt = now;
    for (const line of cutter.push(chunk)) if (!(await answerLine(world, service, line, heardAt))) return;
    idleSince = world.ticks();
  }
  for (const line of cutter.end()) await answerLine(world, service, line, heardAt);
}

/** False when the client has disconnected. */
async function answerLine(world: World, service: Serving, line: Line, heardAt: number): Promise<boolean> {
  if (line.kind === "too-long") {
    return send(world, errorMessage(null, INVALID_REQUEST, `a message has at most ${MAX_MESSAGE_BYTES} bytes`));
  }
  const text = line.text.trim();
  if (text === "") return true;
  const message = readMessage(text);
  if (message.kind === "unanswered") return true;
  if (message.kind === "invalid") return send(world, errorMessage(message.id, message.code, message.message));
  world.trace("request", { id: message.id, method: message.method });
  try {
    return await answerRequest(world, service, message, heardAt);
  } catch (error) {
    world.trace("request-failed", { message: error instanceof Error ? error.stack : String(error) });
    const reason = error instanceof Error ? error.message : String(error);
    return send(world, errorMessage(message.id, INTERNAL_ERROR, reason));
  }
}

function send(world: World, message: object): boolean {
  return world.write(jsonLine(message));
}

async function answerRequest(world: World, service: Serving, request: Request, heardAt: number): Promise<boolean> {
  const { id, method, params } = request;
  switch (method) {
    case "initialize": {
      const protocolVersion = chooseVersion(params["protocolVersion"]);
      const serverInfo = { name: "codelia", title: "codelia", version: await ownVersion() };
      const capabilities = { tools: {} };
      const instructions = service.hasTools ? { instructions: INSTRUCTIONS } : {};
      return send(world, resultMessage(id, { protocolVersion, capabilities, serverInfo, ...instructions }));
    }
    case "ping":
      return send(world, resultMessage(id, {}));
    case "tools/list":
      if (params["cursor"] !== undefined) {
        return send(world, errorMessage(id, INVALID_PARAMS, "there is one page only"));
      }
      return send(world, resultMessage(id, { tools: service.hasTools ? TOOL_NAMES.map(describeTool) : [] }));
    case "tools/call":
      return request.params["name"] === HOOK_TOOL
        ? answerHook(world, service, request, heardAt)
        : answerCall(world, service, request);
    default:
      return send(world, errorMessage(id, METHOD_NOT_FOUND, `unknown method '${method}'`));
  }
}

function describeTool(name: ToolName): object {
  // The tools change nothing but our own record of what was told.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, ...TOOLS[name], ...toolSchemas(name), annotations };
}

async function answerHook(
  world: World,
  { hook, signal }: Serving,
  { id, params }: Request,
  heardAt: number,
): Promise<boolean> {
  const { arguments: given, _meta: meta } = params;
  const call = isTable(given) ? readHookCall(given, isTable(meta) ? meta : {}) : undefined;
  if (call === undefined) return send(world, errorMessage(id, INVALID_PARAMS, "'arguments' must name a client"));
  let isConnected = true;
  const answer = (text: string) => {
    const content = text === "" ? [] : [{ type: "text", text }];
    return (isConnected = send(world, resultMessage(id, { content })));
  };
  await callHook(world, hook, call, heardAt, answer, signal);
  return isConnected;
}

async function answerCall(
  world: World,
  { flags, commands, hasTools }: Service,
  { id, params }: Request,
): Promise<boolean> {
  const { name, arguments: given = {} } = params;
  const tool = hasTools ? TOOL_NAMES.find((known) => known === name) : undefined;
  if (tool === undefined) {
    const message = `unknown tool '${String(name)}'; one of ${TOOL_NAMES.join(", ")}`;
    return send(world, errorMessage(id, INVALID_PARAMS, message));
  }
  if (!isTable(given)) return send(world, errorMessage(id, INVALID_PARAMS, "'arguments' must be an object"));
  const read = readToolInput(tool, given);
  // A result, not a protocol error: the model wrote the arguments and can correct them.
  if (read.kind === "problem") {
    return send(world, resultMessage(id, failed(`invalid arguments of ${tool}: ${read.problem}`)));
  }
  let isConnected = true;
  await callTool(world, read, flags, commands, (result) => (isConnected = send(world, resultMessage(id, result))));
  return isConnected;
}

type RequestId = string | number;

interface Request {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Table;
}

/** A JSON-RPC 2.0 message. */
type Message =
  | Request
  /** A notification, or a response to a request that we never sent. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly code: number; readonly message: string };

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

function readMessage(text: string): Message {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return invalid(null, "the message is not JSON", PARSE_ERROR);
  }
  if (Array.isArray(data)) return invalid(null, "batches are not part of this protocol");
  if (!isTable(data)) return invalid(null, "the message is not an object");
  const id = data["id"];
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  if (data["jsonrpc"] !== "2.0") return invalid(known, "'jsonrpc' must be '2.0'");
  const method = data["method"];
  if (method === undefined && ("result" in data || "error" in data)) return { kind: "unanswered" };
  if (typeof method !== "string") return invalid(known, "'method' must be a string");
  if (!("id" in data)) return { kind: "unanswered" };
  if (known === null) return invalid(null, "'id' must be a string or a number");
  const params = data["params"] ?? {};
  if (!isTable(params)) return invalid(known, "'params' must be an object", INVALID_PARAMS);
  return { kind: "request", id: known, method, params };
}

function invalid(id: RequestId | null, message: string, code = INVALID_REQUEST): Message {
  return { kind: "invalid", id, code, message };
}

function resultMessage(id: RequestId, result: object): object {
  return { jsonrpc: "2.0", id, result };
}

function errorMessage(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The protocol versions we speak, oldest first. 2025-03-26 is not among them: it has batches. */
const VERSIONS = ["2024-11-05", "2025-06-18", "2025-11-25"] as const;

/** The client's version, or the newest one before it. Versions are dates. */
function chooseVersion(asked: unknown): string {
  const [oldest] = VERSIONS;
  if (typeof asked !== "string") return VERSIONS.at(-1) ?? oldest;
  return VERSIONS.findLast((version) => version <= asked) ?? oldest;
}
