import { startModelServer, type Json, type ModelServer, type Protocol, type RecordedRequest } from "./model-server.ts";
import { agentIn, type Answer, type Script, type Seen, type UnnamedRequest } from "./script.ts";

/** The Chat Completions API, as far as Qwen Code and opencode use it. */
export function startFakeChat(script: Script): Promise<ModelServer> {
  let ids = 0;
  const protocol: Protocol = {
    understand: (request) => understand(request, Object.keys(script.agents ?? {})),
    speak: (answer, purpose, { body }) => {
      const said = purpose === "compaction" ? { text: `<state_snapshot>${answer.text}</state_snapshot>` } : answer;
      const message = toMessage(said, () => `call_${++ids}`);
      const about = { id: "chat", created: 1, model: body["model"] };
      const { inputTokens = 1000 } = answer;
      const usage = { prompt_tokens: inputTokens, completion_tokens: 10, total_tokens: inputTokens + 10 };
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
    purpose: isSummary(seen) ? "compaction" : tools?.length ? "turn" : "side",
    model: String(body["model"]),
    seen,
  };
}

/** How clients ask to summarise the conversation. */
const SUMMARISE = [
  "Please create a detailed summary of the conversation so far.",
  "Create a handoff summary for the\nmodel that will resume this task",
  "Then, produce the <state_snapshot> XML.",
  "You are the component that summarizes a conversation",
  "The messages above are earlier context from an ongoing conversation.",
  "Summarize this session for continuation.",
  "Please provide a concise summary of our conversation so far",
  "Create a new anchored summary from the conversation history",
];

function isSummary(seen: readonly Seen[]): boolean {
  const last = seen.at(-1)?.text ?? "";
  return SUMMARISE.some((words) => last.includes(words));
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
