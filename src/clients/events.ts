import { MAIN_CONTEXT } from "../ledger/contexts.ts";
import type { Table } from "../lib/table.ts";
import type { Client, ClientEvent, EventKind, TextLimit } from "./client.ts";

// Event and answer formats that several clients share: most adopted Claude Code's.

/** What every event contains, as far as the client's fields provide it. */
interface EventFields {
  readonly name: string | undefined;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  readonly context?: string | undefined;
  readonly cause?: string | undefined;
}

/** An event; undefined if a field is missing or `kindOf` does not know the name. */
export function eventOf(
  { name, session, cwd, context = MAIN_CONTEXT, cause }: EventFields,
  kindOf: (name: string) => EventKind | undefined,
): ClientEvent | undefined {
  if (name === undefined || session === undefined || cwd === undefined) return undefined;
  const what = kindOf(name);
  return what && { name, session, context, cwd, what, ...(cause !== undefined && { cause }) };
}

/**
 * An event in Claude Code's format; undefined if we don't handle it.
 *
 * @param inheriting the type of sub-agent that begins with a copy of its parent's context
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
    case "PostToolUseFailure":
      // The text that the model is given, with the command's output up to the failure.
      return { kind: "after-tool", ...toolIn(input), answer: input["error"] };
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

/** Clients that read each other's settings call us twice. Here they write `new`, or their own name. */
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

/**
 * The answer that gives the model a text. It may contain nothing else: with one more field, some clients discard it.
 */
export function contextAnswer({ name }: ClientEvent, text: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } })}\n`;
}

/** The answer that makes the model continue when it was about to stop. */
export function continueAnswer(text: string): string {
  return `${JSON.stringify({ decision: "block", reason: text })}\n`;
}

/** The same, with a text for the user. */
export function noticeAnswer(user: string, model: string | undefined): string {
  const going = model === undefined ? {} : { decision: "block", reason: model };
  return `${JSON.stringify({ systemMessage: user, ...going })}\n`;
}

export const UNLIMITED: TextLimit = { max: Number.POSITIVE_INFINITY, measure: (text) => text.length };

/** Whether a text is short enough for the client. */
export function fits({ limit }: Pick<Client, "limit">, text: string): boolean {
  return limit.measure(text) <= limit.max;
}

/** The answer that blocks a tool, or lets the user decide. */
export function refusalAnswer({ name }: ClientEvent, decision: "deny" | "ask", reason: string): string {
  const output = { hookEventName: name, permissionDecision: decision, permissionDecisionReason: reason };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}

/** A field's text; undefined if it is missing, empty or not a string. */
export function textField(input: Table, key: string): string | undefined {
  return asText(input[key]);
}

/** The first of a list of texts; undefined if it is empty or not a list. */
export function firstText(list: unknown): string | undefined {
  return asText(Array.isArray(list) ? list[0] : undefined);
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
