import { dirname } from "node:path";
import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { ladder } from "../../lib/paths.ts";
import type { Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { textField } from "../events.ts";
import { filesIn, loadsUpwards } from "../loading-rules.ts";

const LOADED_NAMES = ["AGENTS.md"];
/** The tool that brings what applies to the file it reads. */
const BRINGING_TOOL = "read";

const native = loadsUpwards({
  names: () => LOADED_NAMES,
  onTouch: (cwd, { tool, path }, _, facts) =>
    tool === BRINGING_TOOL ? filesIn(ladder(cwd, dirname(path)).slice(1), LOADED_NAMES, facts) : [],
});

/**
 * opencode has no hooks but plugins: ours (`opencode-settings.ts`) tells of each event in this form, and puts the answer
 * where the model reads it. A sub-agent is a session of its own.
 */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const name = textField(input, "event");
    const session = textField(input, "sessionID");
    const cwd = textField(input, "directory");
    const what = name === undefined ? undefined : readKind(name, input);
    if (name === undefined || session === undefined || cwd === undefined || what === undefined) return undefined;
    return { name, session, context: MAIN_CONTEXT, cwd, what };
  },
  tell: (_, text) => `${JSON.stringify({ context: text })}\n`,
  native,
  fits: () => true,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "session.start":
      return { kind: "begin", inherits: false };
    case "tool.execute.after":
      return { kind: "tool", tool: textField(input, "tool") ?? "", input: input["args"], answer: input["output"] };
    case "session.deleted":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}
