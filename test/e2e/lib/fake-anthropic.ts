import { startModelServer, type Json, type ModelServer, type Protocol, type RecordedRequest } from "./model-server.ts";
import type { Answer, Script, Seen, UnnamedRequest } from "./script.ts";

/** Over all servers: a session that is resumed at another one gives no id twice. */
let ids = 0;

/** The Messages API, as far as Claude Code uses it. */
export function startFakeAnthropic(script: Script): Promise<ModelServer> {
  const protocol: Protocol = {
    understand,
    speak: (answer, purpose, { body }) => {
      const said = purpose === "compaction" ? toSummary(answer) : answer;
      const message = toMessage(said, String(body["model"]), () => String(++ids));
      return body["stream"] === true ? { events: toEvents(message) } : { json: message };
    },
    otherwise: ({ path }) => {
      if (path === "/v1/messages/count_tokens") return { json: { input_tokens: 1000 } };
      return { status: 404, json: { type: "error", error: { type: "not_found_error", message: `no ${path} here` } } };
    },
  };
  return startModelServer(protocol, script);
}

/** Without the tag the client asks for it a second time. */
function toSummary({ text = "" }: Answer): Answer {
  return { text: `<summary>${text}</summary>` };
}

interface Message extends Json {
  readonly content: readonly Json[];
  readonly stop_reason: string;
  readonly usage: Json;
}

function toMessage(answer: Answer, model: string, nextId: () => string): Message {
  const { text, toolUses = [], inputTokens = 1000 } = answer;
  const said = text === undefined ? [] : [{ type: "text", text }];
  const uses = toolUses.map(({ name, input }) => ({ type: "tool_use", id: `toolu_${nextId()}`, name, input }));
  return {
    id: `msg_${nextId()}`,
    type: "message",
    role: "assistant",
    model,
    content: [...said, ...uses],
    stop_reason: uses.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: 10 },
  };
}

function toEvents(message: Message): Json[] {
  const { content, stop_reason, usage } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: { ...block, ...emptied(block) } },
      { type: "content_block_delta", index, delta: deltaOf(block) },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

function emptied(block: Json): Json {
  return block["type"] === "text" ? { text: "" } : { input: {} };
}

function deltaOf(block: Json): Json {
  if (block["type"] === "text") return { type: "text_delta", text: block["text"] };
  return { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
}

function understand({ method, path, headers, body }: RecordedRequest): UnnamedRequest | undefined {
  if (method !== "POST" || path !== "/v1/messages") return undefined;
  const instructions = blocksOf(body["system"]).map((block) => toSeen("system", block));
  const messages = (body["messages"] as readonly Json[]).flatMap(({ role, content }) =>
    blocksOf(content).map((block) => toSeen(role as Seen["role"], block)),
  );
  return {
    agentId: headers["x-claude-code-agent-id"],
    purpose: purposeOf(body, messages),
    model: String(body["model"]),
    seen: [...instructions, ...messages],
  };
}

const SUMMARISE = "Your task is to create a detailed summary";

/** A request without tools is for a title or another thing that the session itself never reads. */
function purposeOf(body: Json, messages: readonly Seen[]): UnnamedRequest["purpose"] {
  const lastWords = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  if (lastWords.some(({ kind, text }) => kind === "text" && text.includes(SUMMARISE))) return "compaction";
  return (body["tools"] as readonly unknown[] | undefined)?.length ? "turn" : "side";
}

function blocksOf(content: unknown): readonly Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (content ?? []) as readonly Json[];
}

function toSeen(role: Seen["role"], block: Json): Seen {
  switch (block["type"]) {
    case "text":
      return { role, kind: "text", text: String(block["text"]) };
    case "tool_use":
      return { role, kind: "tool_use", text: `${String(block["name"])} ${JSON.stringify(block["input"])}` };
    case "tool_result": {
      const texts = blocksOf(block["content"]).map((part) => toSeen("tool", part).text);
      return { role: "tool", kind: "tool_result", text: texts.join("\n") };
    }
    default:
      return { role, kind: "other", text: JSON.stringify(block) };
  }
}
