import { MAIN_CONTEXT } from "../ledger/contexts.ts";
import type { Table } from "../lib/table.ts";
import type { Client, ClientEvent, EventKind, TextLimit } from "./client.ts";

// How several clients write events and answers: most took over what Claude Code began with.

/** What every event has, as far as a client's fields say it. */
interface EventFields {
  readonly name: string | undefined;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  readonly context?: string | undefined;
  readonly cause?: string | undefined;
}

/** An event; undefined where a field is missing or `kindOf` does not know the name. */
export function eventOf(
  { name, session, cwd, context = MAIN_CONTEXT, cause }: EventFields,
  kindOf: (name: string) => EventKind | undefined,
): ClientEvent | undefined {
  if (name === undefined || session === undefined || cwd === undefined) return undefined;
  const what = kindOf(name);
  return what && { name, session, context, cwd, what, ...(cause !== undefined && { cause }) };
}

/**
 * An event as Claude Code writes it; undefined for one that does not concern us.
 *
 * @param inheriting the type of sub-agent that begins with a copy of what its parent has seen
 */
export function readHookEvent(input: Table, inheriting: string | undefined): ClientEvent | undefined {
  const context = textField(input, "agent_id");
  return eventOf(
    {
      name: textField(input, "hook_event_name"),
      session: textField(input, "session_id"),
      cwd: textField(input, "cwd"),
      context,
      cause: textField(input, "source"),
    },
    (name) => readKind(name, context !== undefined && context !== MAIN_CONTEXT, input, inheriting),
  );
}

function readKind(
  name: string,
  isSubAgent: boolean,
  input: Table,
  inheriting: string | undefined,
): EventKind | undefined {
  switch (name) {
    case "SessionStart":
      return readStart(input);
    case "SubagentStart":
      return { kind: "begin", inherits: inheriting !== undefined && textField(input, "agent_type") === inheriting };
    case "PostCompact":
      // After a compaction of the main context a SessionStart follows.
      return isSubAgent ? { kind: "forget" } : undefined;
    case "UserPromptSubmit":
      return { kind: "prompt", text: textField(input, "prompt") ?? "" };
    case "PreToolUse":
      return { kind: "before-tool", ...toolIn(input) };
    case "PostToolUse":
      return { kind: "after-tool", ...toolIn(input), answer: input["tool_response"] };
    case "Stop":
      if (isSubAgent) return undefined;
      return {
        kind: "stop",
        message: textField(input, "last_assistant_message") ?? "",
        isContinued: input["stop_hook_active"] === true,
      };
    case "SubagentStop":
      return isSubAgent ? { kind: "end-of-context" } : undefined;
    case "SessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}

/** Clients that read each other's settings call us twice. They say `new` here, or who they are. */
function readStart(input: Table): EventKind {
  const source = textField(input, "source");
  if (source === "resume") return { kind: "resume" };
  const once = source === "new" || "cursor_version" in input;
  return { kind: "begin", inherits: false, ...(once && { once }) };
}

/** A tool call, in the fields that most clients have. */
export function toolIn(input: Table): { tool: string; input: unknown } {
  return { tool: textField(input, "tool_name") ?? "", input: input["tool_input"] };
}

/** The answer that gives the model a text. Nothing else may be in it: one more field, and some clients drop it whole. */
export function contextAnswer({ name }: ClientEvent, text: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } })}\n`;
}

/** The answer that makes the model go on when it was about to stop. */
export function continueAnswer(text: string): string {
  return `${JSON.stringify({ decision: "block", reason: text })}\n`;
}

export const UNLIMITED: TextLimit = { max: Number.POSITIVE_INFINITY, measure: (text) => text.length };

/** Whether a text is short enough for the client. */
export function fits({ limit }: Pick<Client, "limit">, text: string): boolean {
  return limit.measure(text) <= limit.max;
}

/** The answer that keeps a tool from running, or lets the user decide. */
export function refusalAnswer({ name }: ClientEvent, decision: "deny" | "ask", reason: string): string {
  const output = { hookEventName: name, permissionDecision: decision, permissionDecisionReason: reason };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}

/** A field's text; undefined if there is none, or an empty one, or another kind of value. */
export function textField(input: Table, key: string): string | undefined {
  return asText(input[key]);
}

/** The first of a list of texts; undefined if it is empty, or another kind of value. */
export function firstText(list: unknown): string | undefined {
  return asText(Array.isArray(list) ? list[0] : undefined);
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
