import { isTable, valueAt } from "../../lib/table.ts";
import { hooksOf } from "../settings/survey.ts";

const TYPES: ReadonlySet<unknown> = new Set(["command", "mcp_tool", "prompt", "agent"]);
/** Of the top of the file. */
const KEYS: ReadonlySet<string> = new Set(["hooks", "description", "$schema"]);
const MAX_SHOWN = 60;

/**
 * What makes Codex reject a file of hooks as a whole, as of 0.169: only what was seen with the client. Of events that it
 * does not know it reads nothing.
 *
 * @param events that it knows
 */
export function rejectedIn(data: unknown, events: ReadonlySet<string>): string | undefined {
  if (!isTable(data)) return undefined;
  const key = Object.keys(data).find((each) => !KEYS.has(each));
  if (key !== undefined) return `the key '${key.slice(0, MAX_SHOWN)}'`;
  if (data["hooks"] !== undefined && !isTable(data["hooks"])) return "'hooks' that are not a table";
  for (const [event, groups] of Object.entries(hooksOf(data))) {
    if (!events.has(event)) continue;
    if (!Array.isArray(groups)) return `something other than a list for '${event}'`;
    for (const group of groups) {
      const why = inGroup(group, event);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function inGroup(group: unknown, event: string): string | undefined {
  if (!isTable(group)) return `an entry for '${event}' that is not a table`;
  const { matcher, hooks = [] } = group;
  if (matcher !== undefined && matcher !== null && typeof matcher !== "string") return "a 'matcher' that is not text";
  if (!Array.isArray(hooks)) return `'hooks' of '${event}' that are not a list`;
  for (const handler of hooks) {
    const why = inHandler(handler, event);
    if (why !== undefined) return why;
  }
  return undefined;
}

function inHandler(handler: unknown, event: string): string | undefined {
  if (!isTable(handler)) return `a hook for '${event}' that is not a table`;
  const { type, command, timeout } = handler;
  if (type === undefined) return "a hook without a type";
  if (!TYPES.has(type)) return `a hook of type '${String(type).slice(0, MAX_SHOWN)}'`;
  if (type === "command" && typeof command !== "string") return "a hook without a command";
  if (type === "mcp_tool" && typeof valueAt(handler, "tool") !== "string") return "a hook that names no tool";
  const isTime = timeout === undefined || timeout === null || (Number.isInteger(timeout) && Number(timeout) >= 0);
  return isTime ? undefined : "a 'timeout' that is not a whole number of seconds";
}
