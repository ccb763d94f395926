import type { EventKind, Host } from "../core/hooks/host.ts";
import type { NativeProfile, NativeQuestion } from "../core/hooks/native.ts";
import { pathsOf } from "../core/hooks/native-upwards.ts";
import { textField } from "../core/hooks/read-event.ts";
import { MAIN_CONTEXT } from "../core/session-name.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Cursor gives the model the AGENTS.md of the project's root. */
const native: NativeProfile = {
  settingsOf: () => [],
  silencers: [],
  markersOf: () => [],
  atStart: loaded,
  onTouch: loaded,
};

function loaded(question: NativeQuestion): Set<string> {
  return pathsOf(question, ["AGENTS.md"], (directory) => directory === question.cwd);
}

/** Only a session's start and a tool's end can tell the model anything. */
export const host: Host = {
  name: "cursor",
  element: "system-reminder",
  readEvent(input) {
    const name = textField(input, "hook_event_name");
    const session = textField(input, "conversation_id") ?? textField(input, "session_id");
    const cwd = textField(input, "cwd") ?? firstRoot(input);
    const what = name === undefined ? undefined : readKind(name, input);
    if (name === undefined || session === undefined || cwd === undefined || what === undefined) return undefined;
    return { name, session, context: MAIN_CONTEXT, cwd, what };
  },
  tell: (_, text) => `${JSON.stringify({ additional_context: text })}\n`,
  native,
  fits: () => true,
};

function readKind(name: string, input: Fields): EventKind | undefined {
  switch (name) {
    case "sessionStart":
      // Claude's settings are read as well.
      return { kind: "begin", inherits: false, once: true };
    case "postToolUse":
      return { kind: "tool", tool: textField(input, "tool_name") ?? "", input: input["tool_input"] };
    case "preCompact":
      return { kind: "forget" };
    case "sessionEnd":
      return { kind: "end-of-session" };
    default:
      return undefined;
  }
}

function firstRoot(input: Fields): string | undefined {
  const roots = input["workspace_roots"];
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof first === "string" && first !== "" ? first : undefined;
}
