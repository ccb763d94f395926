import { join } from "node:path";
import { wholeLadder } from "../../lib/paths.ts";
import { isTable, type Table } from "../../lib/table.ts";
import type { Client, EventKind, Part } from "../client.ts";
import { eventOf, refusalAnswer, textField, toolIn, UNLIMITED } from "../events.ts";
import { SKILLS, userSkills } from "./files.ts";

/** The client reports no more of a tool's result than this; of a longer one, what it hides is unknown. */
const MAX_REPORTED = 2000;

/**
 * Kimi Code's model hears what hooks say to a prompt, and why they refuse a call. Its tool events don't name the
 * sub-agent.
 */
export const events: Part<Client> = {
  element: "system-reminder",
  refusesToTell: true,
  resumesUntold: true,
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
  tell: (_, text) => `${JSON.stringify({ message: text })}\n`,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  skillTool: {
    nameIn: (tool, input) => (tool === "Skill" && isTable(input) ? (textField(input, "skill") ?? "") : undefined),
    directories: (cwd, user) => [
      ...wholeLadder(cwd).flatMap((directory) => SKILLS.map((name) => join(directory, name))),
      ...userSkills(user),
    ],
  },
  limit: UNLIMITED,
};

function readKind(name: string, input: Table): EventKind | undefined {
  switch (name) {
    case "SessionStart":
      return textField(input, "source") === "resume" ? { kind: "resume" } : undefined;
    case "UserPromptSubmit":
      return { kind: "prompt", text: promptIn(input["prompt"]), begins: true };
    case "PreToolUse":
      return { kind: "before-tool", ...toolIn(input) };
    case "PostToolUse": {
      const answer = input["tool_output"];
      const isWhole = typeof answer === "string" && answer.length < MAX_REPORTED;
      return { kind: "after-tool", ...toolIn(input), ...(isWhole && { answer }) };
    }
    case "PreCompact":
      return { kind: "forget" };
    case "SessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}

/** A list of parts, of which some are texts. */
function promptIn(prompt: unknown): string {
  const parts: readonly unknown[] = Array.isArray(prompt) ? prompt : [{ text: prompt }];
  return parts.flatMap((part) => (isTable(part) && typeof part["text"] === "string" ? part["text"] : [])).join("\n");
}
