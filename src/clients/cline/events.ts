import { MAIN_CONTEXT } from "../../ledger/contexts.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { firstText, textField } from "../events.ts";
import { loadsHere } from "../loading-rules.ts";

/** Longer ones are cut by the client, in UTF-16 units. */
const MAX_CONTEXT_UNITS = 50_000;
/** Several commands in one call: what the shell makes of them is the same. */
const SHELL_TOOL = "execute_command";

/** A task is a session. Only a tool's hooks can tell the model anything. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const name = textField(input, "hookName");
    const session = textField(input, "taskId");
    const what = name === undefined ? undefined : readKind(name, input);
    if (name === undefined || session === undefined || what === undefined) return undefined;
    return { name, session, context: MAIN_CONTEXT, cwd: firstText(input["workspaceRoots"]) ?? ".", what };
  },
  tell: (_, text) => `${JSON.stringify({ cancel: false, contextModification: text })}\n`,
  native: loadsHere(),
  fits: (answer) => answer.length <= MAX_CONTEXT_UNITS,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "PreToolUse":
      return { kind: "before-tool", ...readUse(input["preToolUse"]) };
    case "PostToolUse":
      return { kind: "after-tool", ...readUse(input["postToolUse"]), answer: resultIn(input["postToolUse"]) };
    case "PreCompact":
      return { kind: "forget" };
    default:
      return undefined;
  }
}

/** Every parameter is a text here; a list or an object is its JSON. */
function readUse(data: unknown): { tool: string; input: unknown } {
  const table = isTable(data) ? data : {};
  const given = isTable(table["parameters"]) ? table["parameters"] : {};
  const input = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, unfolded(value)]));
  const { commands } = input;
  if (!Array.isArray(commands)) return { tool: textField(table, "toolName") ?? "", input };
  const lines = commands.filter((command) => typeof command === "string");
  return { tool: SHELL_TOOL, input: { ...input, command: lines.join("\n") } };
}

function resultIn(data: unknown): unknown {
  return isTable(data) ? data["result"] : undefined;
}

function unfolded(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
