import type { Client, Part } from "../client.ts";
import { contextAnswer, continueAnswer, readHookEvent, refusalAnswer } from "../events.ts";

/** Of one context, in bytes. Above it the client spills it to a file. */
const MAX_CONTEXT_BYTES = 10_000;

/** Codex took over the shape of Claude's hooks: the same events and fields, the same answer. */
export const events: Part<Client> = {
  element: "system-reminder",
  readEvent: (input) => readHookEvent(input, undefined),
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  continuation: { answer: continueAnswer, max: Number.POSITIVE_INFINITY },
  fits: (answer) => new TextEncoder().encode(answer).length <= MAX_CONTEXT_BYTES,
};
