import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, textField, UNLIMITED } from "../events.ts";

/**
 * opencode has plugins instead of hooks. Ours, in `settings.ts`, sends each event in this form and puts the answer
 * where the model reads it. A sub-agent is a session of its own.
 */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) =>
    eventOf(
      { name: textField(input, "event"), session: textField(input, "sessionID"), cwd: textField(input, "directory") },
      (name) => readKind(name, input),
    ),
  tell: (_, text) => `${JSON.stringify({ context: text })}\n`,
  limit: UNLIMITED,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "session.start":
      return { kind: "begin", inherits: false, isApart: input["mayGoOn"] === true };
    case "tool.execute.after":
      return { kind: "tool", tool: textField(input, "tool") ?? "", input: input["args"], answer: input["output"] };
    case "session.deleted":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}
