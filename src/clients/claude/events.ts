import { join } from "node:path";
import { wholeLadder } from "../../lib/paths.ts";
import { isTable } from "../../lib/table.ts";
import type { Client, Part } from "../client.ts";
import { contextAnswer, continueAnswer, readHookEvent, refusalAnswer } from "../events.ts";
import { configDirectory } from "./places.ts";

/** The longest context of one hook, in UTF-16 units. Of a longer one the model gets a preview and the path of a file. */
const MAX_CONTEXT_UNITS = 10_000;
/** After this many in a row the client lets its model stop, whatever a hook says. */
const MAX_CONTINUATIONS = 8;
/** The sub-agent that starts with a copy of what its parent has seen. */
const INHERITING_AGENT = "fork";

/** The sub-agents that get no instruction files where they begin. */
function isBareAgent(type: unknown): boolean {
  return type === "Explore" || type === "Plan";
}

export const events: Part<Client> = {
  // The client escapes `<system-reminder` in what hooks say.
  element: "codelia-reminder",
  readEvent(input) {
    // It comes after the `SessionStart` that has told the context anew.
    if (input["hook_event_name"] === "PostCompact") return undefined;
    const event = readHookEvent(input, INHERITING_AGENT);
    return event && isBareAgent(input["agent_type"]) ? { ...event, isBare: true } : event;
  },
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
  continuation: { answer: continueAnswer, max: MAX_CONTINUATIONS },
  limit: { max: MAX_CONTEXT_UNITS, measure: (text) => text.length },
};
