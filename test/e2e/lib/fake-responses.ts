import { startModelServer, type Json, type ModelServer, type Protocol, type RecordedRequest } from "./model-server.ts";
import type { Answer, Script, Seen, ToolUse, UnnamedRequest } from "./script.ts";

/** Over all servers: a session that is resumed at another one gives no id twice. */
let ids = 0;

/** The Responses API, as far as Codex uses it. */
export function startFakeResponses(script: Script): Promise<ModelServer> {
  const protocol: Protocol = {
    understand,
    speak: (answer) => ({ events: toEvents(answer, () => String(++ids)) }),
    otherwise: ({ path }) => ({ status: 404, json: { error: { message: `no ${path} here` } } }),
  };
  return startModelServer(protocol, script);
}

function toEvents(answer: Answer, nextId: () => string): Json[] {
  const { text, toolUses = [], inputTokens = 1000 } = answer;
  const id = `resp_${nextId()}`;
  const said = text === undefined ? [] : [toMessage(text, nextId())];
  const items = [...said, ...toolUses.map((use) => toCall(use, `call_${nextId()}`))];
  const usage = { input_tokens: inputTokens, output_tokens: 10, total_tokens: inputTokens + 10 };
  return [
    { type: "response.created", response: { id } },
    ...items.map((item) => ({ type: "response.output_item.done", item })),
    {
      type: "response.completed",
      response: { id, usage: { ...usage, input_tokens_details: null, output_tokens_details: null } },
    },
  ];
}

function toMessage(text: string, id: string): Json {
  return { type: "message", role: "assistant", id: `msg_${id}`, content: [{ type: "output_text", text }] };
}

function toCall({ name, namespace, input }: ToolUse, callId: string): Json {
  const call = { call_id: callId, name, ...(namespace === undefined ? {} : { namespace }) };
  if (typeof input === "string") return { type: "custom_tool_call", ...call, input };
  return { type: "function_call", ...call, arguments: JSON.stringify(input) };
}

function understand(request: RecordedRequest): UnnamedRequest | undefined {
  const { method, path, body } = request;
  if (method !== "POST" || path !== "/v1/responses") return undefined;
  const about = metadataOf(request);
  const instructions = body["instructions"];
  const first: Seen[] = typeof instructions === "string" ? [{ role: "system", kind: "text", text: instructions }] : [];
  return {
    agentId: about["thread_id"] === about["session_id"] ? undefined : String(about["thread_id"]),
    purpose: purposeOf(about["request_kind"]),
    model: String(body["model"]),
    seen: [...first, ...(body["input"] as readonly Json[]).flatMap(seenInItem)],
  };
}

/** What Codex says about a request beside it. */
function metadataOf({ headers }: RecordedRequest): Json {
  return JSON.parse(headers["x-codex-turn-metadata"] ?? "{}") as Json;
}

function purposeOf(kind: unknown): UnnamedRequest["purpose"] {
  return kind === "turn" || kind === "compaction" ? kind : "side";
}

/** What the model reads of one entry of its input. */
export function seenInItem(item: Json): Seen[] {
  switch (item["type"]) {
    case "message": {
      const role = item["role"] as Seen["role"];
      const parts = item["content"] as readonly Json[];
      return parts.map((part) => ({ role, kind: "text", text: textOf(part) }));
    }
    case "function_call":
    case "custom_tool_call": {
      const input = item["arguments"] ?? item["input"];
      return [{ role: "assistant", kind: "tool_use", text: `${String(item["name"])} ${String(input)}` }];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ role: "tool", kind: "tool_result", text: outputOf(item["output"]) }];
    default:
      return [{ role: "developer", kind: "other", text: JSON.stringify(item) }];
  }
}

function outputOf(output: unknown): string {
  return typeof output === "string" ? output : (output as readonly Json[]).map(textOf).join("");
}

function textOf(part: Json): string {
  return typeof part["text"] === "string" ? part["text"] : JSON.stringify(part);
}
