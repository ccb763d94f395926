import { startModelServer, type Json, type ModelServer, type Protocol, type RecordedRequest } from "./model-server.ts";
import { agentIn, type Script, type Seen, type UnnamedRequest } from "./script.ts";

/** The Gemini API, as far as Gemini CLI uses it. */
export function startFakeGemini(script: Script): Promise<ModelServer> {
  const protocol: Protocol = {
    understand: (request) => understand(request, Object.keys(script.agents ?? {})),
    speak: ({ text, toolUses = [], inputTokens = 1000 }, _, { path }) => {
      const said = text === undefined ? [] : [{ text }];
      const parts = [...said, ...toolUses.map(({ name, input }) => ({ functionCall: { name, args: input } }))];
      const usageMetadata = {
        promptTokenCount: inputTokens,
        candidatesTokenCount: 10,
        totalTokenCount: inputTokens + 10,
      };
      const reply = {
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
        usageMetadata,
      };
      return path.includes("stream") ? { chunks: [reply] } : { json: reply };
    },
    otherwise: ({ path }) =>
      path.endsWith(":countTokens")
        ? { json: { totalTokens: 1000 } }
        : { status: 404, json: { error: { message: path } } },
  };
  return startModelServer(protocol, script);
}

function understand({ path, body }: RecordedRequest, agents: readonly string[]): UnnamedRequest | undefined {
  const [, model] = /\/models\/([^:]+):(?:streamG|g)enerateContent$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  const instruction = body["systemInstruction"] as Json | undefined;
  const contents = body["contents"] as readonly Json[];
  const said = contents.flatMap((content) => seenIn(content, roleOf(content)));
  return {
    agentId: agentIn(said, agents),
    purpose: JSON.stringify(body["tools"] ?? []).includes("read_file")
      ? "turn"
      : isSummary(said)
        ? "compaction"
        : "side",
    model,
    seen: [...seenIn(instruction ?? {}, "system"), ...said],
  };
}

/** It asks for a summary, and then whether that is complete. */
function isSummary(said: readonly Seen[]): boolean {
  const last = said.at(-1)?.text ?? "";
  return (
    last.includes("generate the updated <state_snapshot>") || last.includes("Critically evaluate the <state_snapshot>")
  );
}

function roleOf({ role }: Json): Seen["role"] {
  return role === "model" ? "assistant" : "user";
}

function seenIn({ parts = [] }: Json, role: Seen["role"]): Seen[] {
  return (parts as readonly Json[]).map((part): Seen => {
    const { text, functionCall, functionResponse } = part;
    if (typeof text === "string") return { role, kind: "text", text };
    if (functionCall !== undefined) return { role, kind: "tool_use", text: JSON.stringify(functionCall) };
    const { response } = (functionResponse ?? { response: part }) as { response: Json };
    return { role: "tool", kind: "tool_result", text: String(response["output"] ?? JSON.stringify(response)) };
  });
}
