import { isTable, type Table } from "../../lib/table.ts";
import { events as client } from "./events.ts";
import { textOf, type Giver, type RecordedEvent, type RecordReader } from "../record.ts";

/** Claude Code's transcript: `~/.claude/projects/PROJECT/SESSION.jsonl`, sub-agents in `SESSION/subagents/`. */
export const record: RecordReader = {
  recognises: (line) => typeof line["sessionId"] === "string" && typeof line["type"] === "string",
  read(line) {
    const events: RecordedEvent[] = [];
    const { cwd } = line;
    if (typeof cwd === "string") events.push({ kind: "directory", cwd });
    addEvents(events, line);
    return events;
  },
  companions: (path) => `${path.replace(/\.jsonl$/, "")}/subagents`,
};

function addEvents(events: RecordedEvent[], line: Table): void {
  const { type, subtype, attachment, message } = line;
  if (type === "system") {
    if (subtype === "compact_boundary") events.push({ kind: "forget" });
  } else if (type === "attachment" && isTable(attachment)) {
    events.push(...fromAttachment(attachment, line["rendered"]));
  } else if ((type === "user" || type === "assistant") && isTable(message)) {
    // What the client itself says may come while a call runs.
    if (type === "user" && line["isMeta"] !== true && typeof message["content"] === "string") {
      events.push({ kind: "prompt" });
    }
    addMessage(events, message, type === "user");
  }
}

/** Text that the client or a hook adds to the conversation. */
function fromAttachment(attachment: Table, rendered: unknown): RecordedEvent[] {
  const { type, files, path, filename } = attachment;
  const by: Giver = type === "hook_additional_context" ? "hook" : "client";
  if (type === "instructions" && Array.isArray(files)) {
    return files.filter(isTable).map((file) => textFrom(textOf(file["content"]), by, file["path"]));
  }
  const text = (Array.isArray(rendered) ? rendered : []).filter(isTable).map(({ content }) => textOf(content));
  return text.length === 0 ? [] : [textFrom(text.join("\n"), by, path ?? filename)];
}

function textFrom(text: string, by: Giver, path: unknown): RecordedEvent {
  return { kind: "text", text, by, ...(typeof path === "string" && { path }) };
}

/** A record has hundreds of thousands of these, so nothing is made for them but the events. */
function addMessage(events: RecordedEvent[], { content, id: turn }: Table, isUser: boolean): void {
  if (typeof content === "string" && isUser) events.push({ kind: "text", text: content, by: "client" });
  if (!Array.isArray(content)) return;
  for (const part of content) {
    if (!isTable(part)) continue;
    const { type, id, tool_use_id: answered, name, input, text } = part;
    if (type === "tool_use" && typeof id === "string" && typeof name === "string") {
      events.push({ kind: "call", id, tool: name, input, ...(typeof turn === "string" && { turn }) });
      const skill = client.skillTool?.nameIn(name, input);
      if (skill !== undefined) events.push({ kind: "skill", id, name: skill });
    } else if (type === "tool_result" && typeof answered === "string") {
      events.push(answerFrom(answered, part));
    } else if (isUser && typeof text === "string") events.push({ kind: "text", text, by: "client" });
  }
}

/** How the text of a failed call begins that may have done something before. */
const RAN = /^(?:Error: )?(?:Exit code |Command |\[?Request )/;

function answerFrom(id: string, { content, is_error: isError }: Table): RecordedEvent {
  const text = textOf(content);
  if (isError !== true || RAN.test(text)) return { kind: "answer", id, text };
  return { kind: "answer", id, text, isUndone: true, ...(text.startsWith("PreToolUse:") && { by: "hook" }) };
}
