import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, firstText, textField, toolIn, UNLIMITED } from "../events.ts";
import { loadsHere } from "../loading-rules.ts";

/** Only the start of a session and the end of a tool can tell the model anything. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) =>
    eventOf(
      {
        name: textField(input, "hook_event_name"),
        session: textField(input, "conversation_id") ?? textField(input, "session_id"),
        cwd: textField(input, "cwd") ?? firstText(input["workspace_roots"]),
      },
      (name) => readKind(name, input),
    ),
  tell: (_, text) => `${JSON.stringify({ additional_context: text })}\n`,
  native: loadsHere(),
  limit: UNLIMITED,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "sessionStart":
      // It also reads Claude Code's settings, so another entry of ours may have answered.
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
