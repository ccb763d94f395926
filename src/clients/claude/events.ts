import { join } from "node:path";
import { wholeLadder } from "../../lib/paths.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { Client, Part } from "../client.ts";
import { contextAnswer, continueAnswer, noticeAnswer, readHookEvent, refusalAnswer, textField } from "../events.ts";
import { configDirectory, LOCAL_MEMORY, MEMORIES, RULES, SKILLS } from "./files.ts";

/**
 * The longest context from one hook, in UTF-16 units. If it is longer, the model gets a preview and the path of a file.
 */
const MAX_CONTEXT_UNITS = 10_000;
/** After this many in a row the client lets its model stop, whatever a hook says. */
const MAX_CONTINUATIONS = 8;
/** The sub-agent that starts with a copy of its parent's context. */
const INHERITING_AGENT = "fork";

/** The sub-agents that get no instruction files when they begin. */
function isBareAgent(type: unknown): boolean {
  return type === "Explore" || type === "Plan";
}

export const events: Part<Client> = {
  // The client escapes `<system-reminder` in hook output.
  element: "codelia-reminder",
  readEvent(input) {
    // It comes after the `SessionStart` that told the context everything again.
    if (input["hook_event_name"] === "PostCompact") return undefined;
    const event = readHookEvent(input, INHERITING_AGENT);
    const transcript = textField(input, "transcript_path");
    const call = textField(input, "tool_use_id");
    return event && { ...event, ...(isBareAgent(input["agent_type"]) && { isBare: true }), transcript, call };
  },
  readCall: readTemplate,
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  ask: (event, question) => refusalAnswer(event, "ask", question),
  skillTool: {
    nameIn(tool, input) {
      if (tool !== "Skill" || !isTable(input)) return undefined;
      const name = input["skill"] ?? input["name"];
      return typeof name === "string" ? name : "";
    },
    directories: (cwd, place) => [
      ...wholeLadder(cwd).map((directory) => join(directory, ".claude", "skills")),
      join(configDirectory(place), "skills"),
    ],
  },
  own: {
    names: [...MEMORIES, LOCAL_MEMORY],
    directories: [RULES, join(SKILLS)],
    homeRules: (user) => join(configDirectory(user), "rules"),
    conditions: () => import("./rule-paths.ts"),
  },
  continuation: { answer: continueAnswer, notice: noticeAnswer, max: MAX_CONTINUATIONS },
  limit: { max: MAX_CONTEXT_UNITS, measure: (text) => text.length },
  restoredIn: async (transcript) => (await import("./transcript.ts")).restoredIn(transcript),
};

/** Every value arrives as text: objects as JSON, missing values as empty text. */
function readTemplate(given: Table): Table {
  const input: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === "") continue;
    input[key] = UNPACKED.has(key) ? unpacked(value) : value;
  }
  return input;
}

/** The fields that are no texts. */
const UNPACKED: ReadonlySet<string> = new Set(["tool_input", "tool_response", "stop_hook_active"]);

function unpacked(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
