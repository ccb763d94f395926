import type { Client, Part } from "../client.ts";
import { contextAnswer, continueAnswer, readHookEvent, refusalAnswer } from "../events.ts";

/** The longest text that a hook may give, in bytes. The client writes a longer one to a file. */
const MAX_CONTEXT_BYTES = 10_000;

/** Codex took over the hooks of Claude Code: the same events, fields and answers. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) => readHookEvent(input, undefined),
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  continuation: { answer: continueAnswer, max: Number.POSITIVE_INFINITY },
  limit: { max: MAX_CONTEXT_BYTES, measure: (text) => new TextEncoder().encode(text).length },
};
