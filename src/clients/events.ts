import { MAIN_CONTEXT } from "../ledger/contexts.ts";
import type { ClientEvent, EventKind } from "./client.ts";

/**
 * An event in the shape that Claude Code gave it and other clients took over; undefined for one that does not concern us.
 *
 * @param inheriting the type of the sub-agents that begin with a copy of what their parent has seen
 */
export function readHookEvent(
  input: Readonly<Record<string, unknown>>,
  inheriting: string | undefined,
): ClientEvent | undefined {
  const name = textField(input, "hook_event_name");
  const session = textField(input, "session_id");
  const cwd = textField(input, "cwd");
  if (name === undefined || session === undefined || cwd === undefined) return undefined;
  const context = textField(input, "agent_id") ?? MAIN_CONTEXT;
  const what = readKind(name, context, input, inheriting);
  return what && { name, session, context, cwd, what };
}

function readKind(
  name: string,
  context: string,
  input: Readonly<Record<string, unknown>>,
  inheriting: string | undefined,
): EventKind | undefined {
  switch (name) {
    case "SessionStart":
      return readStart(input);
    case "SubagentStart":
      return { kind: "begin", inherits: inheriting !== undefined && textField(input, "agent_type") === inheriting };
    case "PostCompact":
      // The main context is begun anew by the SessionStart that goes with it.
      return context === MAIN_CONTEXT ? undefined : { kind: "forget" };
    case "UserPromptSubmit":
      return { kind: "prompt", text: textField(input, "prompt") ?? "" };
    case "PreToolUse":
      // What hooks are asked most: `toolIn` without its call.
      return { kind: "before-tool", tool: textField(input, "tool_name") ?? "", input: input["tool_input"] };
    case "PostToolUse":
      return { kind: "after-tool", ...toolIn(input), answer: input["tool_response"] };
    case "Stop":
      if (context !== MAIN_CONTEXT) return undefined;
      return {
        kind: "stop",
        message: textField(input, "last_assistant_message") ?? "",
        isContinued: input["stop_hook_active"] === true,
      };
    case "SubagentStop":
      return context === MAIN_CONTEXT ? undefined : { kind: "end-of-context" };
    case "SessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}

/** In the fields that most clients have. */
export function toolIn(input: Readonly<Record<string, unknown>>): { tool: string; input: unknown } {
  return { tool: textField(input, "tool_name") ?? "", input: input["tool_input"] };
}

/** Clients that read each other's settings call us twice: they say `new` here, or who they are. */
function readStart(input: Readonly<Record<string, unknown>>): EventKind {
  const source = textField(input, "source");
  if (source === "resume") return { kind: "resume" };
  const once = source === "new" || "cursor_version" in input;
  return { kind: "begin", inherits: false, ...(once && { once }) };
}

/** The answer that gives the model a text. Nothing else may be in it: some clients drop it whole for one more field. */
export function contextAnswer({ name }: ClientEvent, text: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: text } })}\n`;
}

/** The answer that has the model go on, where it has finished. */
export function continueAnswer(text: string): string {
  return `${JSON.stringify({ decision: "block", reason: text })}\n`;
}

/** A field's text; undefined for none, an empty one, or another value. */
export function textField(input: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first of a list of texts; undefined where it is another value, or empty. */
export function firstText(list: unknown): string | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === "string" && first !== "" ? first : undefined;
}

/** The answer that keeps a tool from running, in the shape that Claude Code gave it and other clients took over. */
export function refusalAnswer({ name }: ClientEvent, decision: "deny" | "ask", reason: string): string {
  const output = { hookEventName: name, permissionDecision: decision, permissionDecisionReason: reason };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}
