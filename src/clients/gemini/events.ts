import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { contextAnswer, eventOf, textField, toolIn, UNLIMITED } from "../events.ts";

/**
 * Its events have names of their own, and a tool hook's text reaches the model with the tool's result. `PreCompress` is
 * ignored: it comes before every request, whether anything is compressed or not.
 */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) =>
    eventOf(
      {
        name: textField(input, "hook_event_name"),
        session: textField(input, "session_id"),
        cwd: textField(input, "cwd"),
        cause: textField(input, "source"),
      },
      (name) => readKind(name, input),
    ),
  tell: contextAnswer,
  limit: UNLIMITED,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "SessionStart":
      return textField(input, "source") === "resume" ? { kind: "resume" } : { kind: "begin", inherits: false };
    case "BeforeAgent":
      return { kind: "prompt", text: textField(input, "prompt") ?? "" };
    case "AfterTool":
      return { kind: "tool", ...toolIn(input), answer: input["tool_response"] };
    case "SessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}
