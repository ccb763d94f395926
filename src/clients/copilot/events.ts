import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, textField } from "../events.ts";

/** The client cuts longer texts behind a tool's result; a start is given whole. */
const MAX_CONTEXT_UNITS = 10_000;

/** Copilot CLI tells a hook everything but the event's name. A sub-agent's events have its id for the session's. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const name = nameOf(input);
    return eventOf(
      {
        name,
        session: textField(input, "parentAgentId") ?? textField(input, "sessionId"),
        cwd: textField(input, "cwd"),
        context: textField(input, "agentId") ?? MAIN_CONTEXT,
        cause: textField(input, "source"),
      },
      () => readKind(name, input),
    );
  },
  tell: (_, text) => `${JSON.stringify({ additionalContext: text })}\n`,
  limit: { max: MAX_CONTEXT_UNITS, measure: (text) => text.length },
};

type EventName =
  | "sessionStart"
  | "userPromptSubmitted"
  | "postToolUse"
  | "subagentStart"
  | "subagentStop"
  | "preCompact"
  | "sessionEnd";

/** By the fields that only one of the events for which we register has. */
function nameOf(input: Table): EventName | undefined {
  // VS Code reads the same files, and names its events.
  if ("hook_event_name" in input || "hookEventName" in input) return undefined;
  if ("toolResult" in input) return "postToolUse";
  if ("toolName" in input) return undefined;
  if ("prompt" in input) return "userPromptSubmitted";
  if ("source" in input) return "sessionStart";
  if ("trigger" in input) return "preCompact";
  if ("reason" in input) return "sessionEnd";
  if (!("agentId" in input && "agentName" in input)) return undefined;
  return "stopReason" in input ? "subagentStop" : "subagentStart";
}

function readKind(name: EventName | undefined, input: Table): EventKind | undefined {
  switch (name) {
    case "sessionStart":
      return textField(input, "source") === "resume" ? { kind: "resume" } : { kind: "begin", inherits: false };
    case "userPromptSubmitted":
      // After a compaction it is the first event of the new context.
      return { kind: "prompt", text: textField(input, "prompt") ?? "", begins: true };
    case "postToolUse": {
      const result = input["toolResult"];
      const answer = isTable(result) ? result["textResultForLlm"] : undefined;
      return { kind: "tool", tool: textField(input, "toolName") ?? "", input: input["toolArgs"], answer };
    }
    case "subagentStart":
      return { kind: "begin", inherits: false };
    case "subagentStop":
      return { kind: "end-of-context" };
    case "preCompact":
      return { kind: "forget" };
    case "sessionEnd":
      return { kind: "end-of-session" };
    case undefined:
      return undefined;
  }
}
