import { join } from "node:path";
import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { lastValue, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { contextAnswer, eventOf, textField, toolIn, UNLIMITED } from "../events.ts";
import { loadsHere } from "../loading-rules.ts";

const native = loadsHere({
  settingsOf: (cwd) => [join(cwd, ".vscode", "settings.json")],
  isOff: (settings) => lastValue(settings, ["chat.useAgentsMdFile"]) === false,
});

/** The events are those of Claude Code, except that the answer to a prompt does not reach the model. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const context = textField(input, "agent_id") ?? MAIN_CONTEXT;
    return eventOf(
      {
        // Earlier versions wrote these two in camel case.
        name: textField(input, "hook_event_name") ?? textField(input, "hookEventName"),
        session: textField(input, "session_id") ?? textField(input, "sessionId"),
        cwd: textField(input, "cwd") ?? ".",
        context,
      },
      (name) => readKind(name, context, input),
    );
  },
  tell: contextAnswer,
  native,
  limit: UNLIMITED,
};

function readKind(name: string, context: string, input: Table): EventKind | undefined {
  const use = toolIn(input);
  switch (name) {
    case "SessionStart":
    case "SubagentStart":
      // It also reads Claude Code's settings, so another entry of ours may have answered.
      return { kind: "begin", inherits: false, once: true };
    case "PreCompact":
      return { kind: "forget" };
    case "PreToolUse":
      return { kind: "before-tool", ...use };
    case "PostToolUse":
      return { kind: "after-tool", ...use, answer: input["tool_response"] };
    case "SubagentStop":
      return context === MAIN_CONTEXT ? undefined : { kind: "end-of-context" };
    default:
      return undefined;
  }
}
