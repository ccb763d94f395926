import { join } from "node:path";
import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { lastValue, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { contextAnswer, textField, toolIn } from "../events.ts";
import { loadsHere } from "../loading-rules.ts";

const native = loadsHere({
  settingsOf: (cwd) => [join(cwd, ".vscode", "settings.json")],
  isOff: (settings) => lastValue(settings, ["chat.useAgentsMdFile"]) === false,
});

/** The events are Claude's, without what a prompt could be answered with. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    // Earlier versions wrote these two in another way.
    const name = textField(input, "hook_event_name") ?? textField(input, "hookEventName");
    const session = textField(input, "session_id") ?? textField(input, "sessionId");
    if (name === undefined || session === undefined) return undefined;
    const context = textField(input, "agent_id") ?? MAIN_CONTEXT;
    const what = readKind(name, context, input);
    return what && { name, session, context, cwd: textField(input, "cwd") ?? ".", what };
  },
  tell: contextAnswer,
  native,
  fits: () => true,
};

function readKind(name: string, context: string, input: Table): EventKind | undefined {
  const use = toolIn(input);
  switch (name) {
    case "SessionStart":
    case "SubagentStart":
      // Claude's settings are read as well.
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
