import type { Client, Part } from "../client.ts";
import { contextAnswer, continueAnswer, noticeAnswer, readHookEvent, refusalAnswer } from "../events.ts";

/** The longest text that a hook may give, in bytes. The client writes a longer one to a file. */
const MAX_CONTEXT_BYTES = 10_000;

/** Codex adopted the hooks of Claude Code: the same events, fields and answers. */
export const events: Part<Client> = {
  element: "system-reminder",
  compactsAfterCall: true,
  readEvent: (input) => readHookEvent(input, undefined),
  // A template can't name the sub-agent: if there is none, the field is missing and the hook fails.
  readCall(given, { threadId }) {
    const isAgent = typeof threadId === "string" && threadId !== given["session_id"];
    return isAgent ? { ...given, agent_id: threadId } : given;
  },
  tell: contextAnswer,
  refuse: (event, reason) => refusalAnswer(event, "deny", reason),
  continuation: { answer: continueAnswer, notice: noticeAnswer, max: Number.POSITIVE_INFINITY },
  limit: { max: MAX_CONTEXT_BYTES, measure: (text) => new TextEncoder().encode(text).length },
};
