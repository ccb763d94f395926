import type { Client, ClientEvent, Part } from "../client.ts";
import { contextAnswer, readHookEvent, UNLIMITED } from "../events.ts";

/** Qwen Code adopted the format of Claude's hooks, and loads AGENTS.md besides its own QWEN.md. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent(input) {
    const event = readHookEvent(input, undefined);
    return event && adapt(event);
  },
  tell: contextAnswer,
  limit: UNLIMITED,
};

/**
 * The text of a hook before a tool does not reach the model; the text afterwards does. A session without a terminal
 * starts with its first prompt.
 */
function adapt(event: ClientEvent): ClientEvent | undefined {
  const { what } = event;
  switch (what.kind) {
    case "before-tool":
      return undefined;
    case "after-tool":
      return { ...event, what: { ...what, kind: "tool", answer: what.answer } };
    case "prompt":
      return { ...event, what: { ...what, begins: true } };
    default:
      return event;
  }
}
