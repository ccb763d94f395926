import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, textField, UNLIMITED } from "../events.ts";

/** pi has extensions instead of hooks. Ours, in `settings.ts`, sends each event in this form. It has no sub-agents. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) =>
    eventOf(
      {
        name: textField(input, "event"),
        session: textField(input, "sessionID"),
        cwd: textField(input, "directory"),
        cause: textField(input, "reason"),
      },
      (name) => readKind(name, input),
    ),
  tell: (_, text) => `${JSON.stringify({ context: text })}\n`,
  limit: UNLIMITED,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "session_start":
      return input["reason"] === "resume" ? { kind: "resume" } : { kind: "begin", inherits: false };
    case "before_agent_start":
      return { kind: "prompt", text: textField(input, "prompt") ?? "", begins: true };
    case "tool_result":
      return { kind: "tool", tool: textField(input, "tool") ?? "", input: input["args"], answer: input["output"] };
    case "session_compact":
    case "session_tree":
      // A compaction drops what was told, and another branch of the session may have been told less.
      return { kind: "forget" };
    case "session_shutdown":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}
