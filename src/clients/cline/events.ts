import { isTable, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, firstText, textField } from "../events.ts";

/** In UTF-16 units; the client cuts longer texts. */
const MAX_CONTEXT_UNITS = 50_000;
/** One call may have several commands. We join them as lines, which is equivalent in a shell. */
const SHELL_TOOL = "execute_command";

/** A task is a session. Only tool hooks can tell the model anything, the start with the first call. */
export const events: Part<Client> = {
  element: "system-reminder",
  startsUntold: true,
  readEvent: (input) =>
    eventOf(
      {
        name: nameOf(input),
        session: textField(input, "taskId"),
        cwd: firstText(input["workspaceRoots"]) ?? ".",
      },
      (name) => readKind(name, input),
    ),
  tell: (_, text) => `${JSON.stringify({ cancel: false, contextModification: text })}\n`,
  limit: { max: MAX_CONTEXT_UNITS, measure: (text) => text.length },
};

/** By the field that only one of the events has: the extension and the command-line program name them differently. */
function nameOf(input: Table): string | undefined {
  if ("taskStart" in input) return "TaskStart";
  if ("preToolUse" in input) return "PreToolUse";
  if ("postToolUse" in input) return "PostToolUse";
  return textField(input, "hookName");
}

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "TaskStart":
      return { kind: "begin", inherits: false };
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

/** Every parameter is a text; a list or an object is encoded as JSON. */
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
