import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { firstText, textField, toolIn } from "../events.ts";
import { loadsHere } from "../loading-rules.ts";

/** Only a session's start and a tool's end can tell the model anything. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const name = textField(input, "hook_event_name");
    const session = textField(input, "conversation_id") ?? textField(input, "session_id");
    const cwd = textField(input, "cwd") ?? firstText(input["workspace_roots"]);
    const what = name === undefined ? undefined : readKind(name, input);
    if (name === undefined || session === undefined || cwd === undefined || what === undefined) return undefined;
    return { name, session, context: MAIN_CONTEXT, cwd, what };
  },
  tell: (_, text) => `${JSON.stringify({ additional_context: text })}\n`,
  native: loadsHere(),
  fits: () => true,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "sessionStart":
      // Claude's settings are read as well.
      return { kind: "begin", inherits: false, once: true };
    case "postToolUse":
      return { kind: "tool", ...toolIn(input), answer: input["tool_output"] };
    case "preCompact":
      return { kind: "forget" };
    case "sessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}
