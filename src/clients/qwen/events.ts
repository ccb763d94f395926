import { join } from "node:path";
import { lastValue } from "../../lib/table.ts";
import type { Client, ClientEvent, Part } from "../client.ts";
import { contextAnswer, readHookEvent, UNLIMITED } from "../events.ts";
import { fileNames, loadsUpwards } from "../loading-rules.ts";

const LOADED_NAMES = ["QWEN.md", "AGENTS.md"];

const native = loadsUpwards({
  settingsOf: (cwd, { home }) => [join(home, ".qwen", "settings.json"), join(cwd, ".qwen", "settings.json")],
  names: (settings) => fileNames(lastValue(settings, ["context", "fileName"]), LOADED_NAMES),
});

/** Qwen Code took over the shape of Claude's hooks, and loads AGENTS.md beside its own QWEN.md. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const event = readHookEvent(input, undefined);
    return event && adapt(event);
  },
  tell: contextAnswer,
  native,
  limit: UNLIMITED,
};

/**
 * What a hook says before a tool runs does not reach the model, what it says afterwards does. A session without a terminal
 * starts with its first prompt.
 */
function adapt(event: ClientEvent): ClientEvent | undefined {
  const { what } = event;
  switch (what.kind) {
    case "before-tool":
      return undefined;
    case "after-tool":
      return { ...event, what: { ...what, kind: "tool" } };
    case "prompt":
      return { ...event, what: { ...what, begins: true } };
    default:
      return event;
  }
}
