import { startModelServer, type Json, type ModelServer, type Protocol, type RecordedRequest } from "./model-server.ts";
import { agentIn, type Answer, type Script, type Seen, type UnnamedRequest } from "./script.ts";

/** The Chat Completions API, as far as Qwen Code and opencode use it. */
export function startFakeChat(script: Script): Promise<ModelServer> {
  let ids = 0;
  const protocol: Protocol = {
    understand: (request) => understand(request, Object.keys(script.agents ?? {})),
    speak: (answer, _, { body }) => {
      const message = toMessage(answer, () => `call_${++ids}`);
      const about = { id: "chat", created: 1, model: body["model"] };
      const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
      const finish = message["tool_calls"] === undefined ? "stop" : "tool_calls";
      if (body["stream"] !== true) {
        return {
          json: { ...about, object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }], usage },
        };
      }
      const chunk = { ...about, object: "chat.completion.chunk" };
      return {
        chunks: [
          { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
          { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
        ],
        end: "data: [DONE]\n\n",
      };
    },
    otherwise: ({ path }) => ({ status: 404, json: { error: { message: `no ${path} here` } } }),
  };
  return startModelServer(protocol, script);
}

function toMessage({ text, toolUses = [] }: Answer, nextId: () => string): Json {
  const calls = toolUses.map(({ name, input }, index) => ({
    index,
    id: nextId(),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: text ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
}

function understand({ method, path, body }: RecordedRequest, agents: readonly string[]): UnnamedRequest | undefined {
  if (method !== "POST" || path !== "/v1/chat/completions") return undefined;
  const tools = body["tools"] as readonly unknown[] | undefined;
  const seen = (body["messages"] as readonly Json[]).flatMap(toSeen);
  return {
    agentId: agentIn(seen, agents),
    // A request without tools is for a title or the like.
    purpose: tools?.length ? "turn" : "side",
    model: String(body["model"]),
    seen,
  };
}

function toSeen({ role, content, tool_calls: calls = [] }: Json): Seen[] {
  const parts = typeof content === "string" ? [{ text: content }] : ((content ?? []) as readonly Json[]);
  const kind = role === "tool" ? "tool_result" : "text";
  return [
    ...parts.map(({ text }): Seen => ({ role: role as Seen["role"], kind, text: String(text) })),
    ...(calls as readonly Json[]).map((call): Seen => ({
      role: "assistant",
      kind: "tool_use",
      text: JSON.stringify(call),
    })),
  ];
}
