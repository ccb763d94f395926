import { fileURLToPath } from "node:url";
import { isTable, type Table } from "../../lib/table.ts";
import { textOf, type RecordedEvent, type RecordReader } from "../record.ts";

/** Codex's rollout: `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`; a sub-agent has one of its own. */
export const record: RecordReader = {
  recognises: (line) => typeof line["type"] === "string" && isTable(line["payload"]),
  read({ type, payload }) {
    if (!isTable(payload)) return [];
    switch (type) {
      case "session_meta":
        return [{ kind: "session", id: asText(payload["id"]), cwd: asText(payload["cwd"]) }];
      case "turn_context":
        return [
          { kind: "prompt" },
          ...(typeof payload["cwd"] === "string" ? [{ kind: "directory", cwd: payload["cwd"] } as const] : []),
        ];
      case "response_item":
        return fromItem(payload);
      case "event_msg":
        return payload["type"] === "item_completed" && isTable(payload["item"]) ? fromExecution(payload["item"]) : [];
      case "compacted":
        return [{ kind: "forget" }, ...itemsOf(payload["replacement_history"])];
      default:
        return [];
    }
  },
};

function itemsOf(history: unknown): RecordedEvent[] {
  return (Array.isArray(history) ? history : []).filter(isTable).flatMap(fromItem);
}

function fromItem(item: Table): RecordedEvent[] {
  const { type, role, call_id: id, output } = item;
  if (type === "message" && role !== "assistant") {
    return [{ kind: "text", text: textOf(item["content"]), by: isFromHook(item) ? "hook" : "client" }];
  }
  if (typeof id !== "string") return [];
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return [answerFrom(id, isTable(output) ? textOf(output["content"]) : textOf(output))];
  }
  if (type !== "function_call" && type !== "custom_tool_call") return [];
  const given = item["arguments"] ?? item["input"];
  return [{ kind: "call", id, tool: asText(item["name"]), input: parsed(given) }];
}

/** A hook's denial, also where the client's JavaScript gives it as an error. */
const DENIED = "Command blocked by PreToolUse hook:";
/** How an answer begins that says why nothing was done. */
const UNDONE = [DENIED, "apply_patch verification failed", "exec_command failed"];

function answerFrom(id: string, text: string): RecordedEvent {
  return {
    kind: "answer",
    id,
    text,
    ...(text.includes(DENIED) && { by: "hook" }),
    ...(UNDONE.some((words) => text.startsWith(words)) && { isUndone: true }),
  };
}

/** What really ran; a call from its JavaScript does not say. */
function fromExecution({ type, id, command, cwd, changes, status }: Table): RecordedEvent[] {
  if (typeof id !== "string" || status === "declined") return [];
  if (type === "CommandExecution" && Array.isArray(command)) {
    const input = { cmd: command.at(-1), workdir: typeof cwd === "string" ? pathOf(cwd) : undefined };
    return [{ kind: "call", id, tool: "exec_command", input, isInner: true }];
  }
  if (type === "FileChange" && isTable(changes) && status !== "failed") {
    const input = { file_paths: Object.keys(changes) };
    return [{ kind: "call", id, tool: "Write", input, isInner: true }];
  }
  return [];
}

function pathOf(url: string): string | undefined {
  try {
    return url.startsWith("file:") ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

function isFromHook(item: Table): boolean {
  const { internal_chat_message_metadata_passthrough: metadata } = item;
  const kinds = isTable(metadata) ? metadata["content_item_kinds"] : undefined;
  return Array.isArray(kinds) && kinds.includes("hooks.additional_context");
}

function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
