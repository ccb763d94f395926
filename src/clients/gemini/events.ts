import { join } from "node:path";
import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { lastValue, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { contextAnswer, textField, toolIn } from "../events.ts";
import { fileNames, loadsUpwards } from "../loading-rules.ts";

/** Gemini CLI loads AGENTS.md only where its `context.fileName` says so. */
const native = loadsUpwards({
  settingsOf: (cwd, { home }) => [join(home, ".gemini", "settings.json"), join(cwd, ".gemini", "settings.json")],
  names: (settings) => fileNames(lastValue(settings, ["context", "fileName"]), []),
});

/**
 * Its events have names of its own; a tool's context reaches the model with the result. `PreCompress` comes before every
 * request, whether anything is compressed or not: nothing follows from it.
 */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const name = textField(input, "hook_event_name");
    const session = textField(input, "session_id");
    const cwd = textField(input, "cwd");
    const what = name === undefined ? undefined : readKind(name, input);
    if (name === undefined || session === undefined || cwd === undefined || what === undefined) return undefined;
    return { name, session, context: MAIN_CONTEXT, cwd, what };
  },
  tell: contextAnswer,
  native,
  fits: () => true,
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
