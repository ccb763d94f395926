/** What the model is made to say. The answers to one thread's requests are given in their order. */
export interface Script {
  /** For the main thread. A thread that has used up its turns says "Done." and calls no tool. */
  readonly main?: readonly Turn[];
  /** For sub-agents, each by a piece of the prompt that it was started with, which also becomes its thread's name. */
  readonly agents?: Readonly<Record<string, readonly Turn[]>>;
  /** The answer to a request to summarise the conversation. */
  readonly summary?: string;
}

export type Turn = Answer | ((request: ModelRequest) => Answer);

export interface Answer {
  readonly text?: string;
  readonly toolUses?: readonly ToolUse[];
  /** What the model says to have read: a client compacts when it comes near the window. */
  readonly inputTokens?: number;
  /** The service says no instead, with this HTTP status. */
  readonly refusal?: Refusal;
  /** It begins to speak, and goes on for ever. */
  readonly hangs?: true;
}

export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, unknown>>;
}

export interface ToolUse {
  readonly name: string;
  /** Text is what Codex calls a custom tool's input. */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Codex only: the group that the tool belongs to. */
  readonly namespace?: string;
}

/** One request for the model's next words, as far as the tests ask about it. */
export interface ModelRequest {
  /** `main`, or the sub-agent's key in the script, or its id where the script has none for it. */
  readonly thread: string;
  readonly purpose: "turn" | "compaction" | "side";
  readonly model: string;
  /** In the order in which the model reads it. */
  readonly seen: readonly Seen[];
  /** As it came, with the descriptions of the tools. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Seen {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly kind: "text" | "tool_use" | "tool_result" | "other";
  readonly text: string;
}

/** A request before it is known which thread of the script it belongs to. */
export type UnnamedRequest = Omit<ModelRequest, "thread"> & {
  /** The client's id of the sub-agent; undefined in the main thread. */
  readonly agentId: string | undefined;
};

/** Gives every request its thread, and every thread its answers. */
export interface Player {
  name(request: UnnamedRequest): ModelRequest;
  answer(request: ModelRequest): Answer;
}

/** The sub-agent whose prompt stands where a user speaks, for clients that name none beside their requests. */
export function agentIn(seen: readonly Seen[], agents: readonly string[]): string | undefined {
  return agents.find((key) =>
    seen.some(({ role, kind, text }) => role === "user" && kind === "text" && text.includes(key)),
  );
}

const DONE: Answer = { text: "Done." };

export function playScript(script: Script): Player {
  const names = new Map<string, string>();
  const turnsTaken = new Map<string, number>();
  return {
    name: ({ agentId, ...request }) => {
      if (agentId === undefined) return { thread: "main", ...request };
      const thread = names.get(agentId) ?? nameAgent(script, request, [...names.values()]) ?? agentId;
      names.set(agentId, thread);
      return { thread, ...request };
    },
    answer: (request) => {
      if (request.purpose === "compaction") return { text: script.summary ?? "A summary." };
      if (request.purpose === "side") return DONE;
      const { thread } = request;
      const turns = (thread === "main" ? script.main : script.agents?.[thread]) ?? [];
      const taken = turnsTaken.get(thread) ?? 0;
      turnsTaken.set(thread, taken + 1);
      const turn = turns[taken] ?? DONE;
      return typeof turn === "function" ? turn(request) : turn;
    },
  };
}

/** By its prompt, which is the last of the keys that it reads: a fork has its parent's words before its own. */
function nameAgent(script: Script, request: Omit<UnnamedRequest, "agentId">, taken: readonly string[]) {
  const said = request.seen.filter(({ role, kind }) => role !== "assistant" && kind !== "tool_use");
  const placed = Object.keys(script.agents ?? {})
    .filter((key) => !taken.includes(key))
    .map((key) => ({ key, at: said.findLastIndex(({ text }) => text.includes(key)) }))
    .filter(({ at }) => at >= 0);
  return placed.toSorted((left, right) => right.at - left.at)[0]?.key;
}
