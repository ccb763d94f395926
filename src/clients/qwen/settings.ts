import { join } from "node:path";
import type { Part } from "../client.ts";
import { HOOK_EVENTS, type ClientSettings } from "../settings/model.ts";

/** Text before a tool never reaches its model, and no guided run has been tried with it. */
const UNHEARD = new Set(["PreToolUse", "Stop"]);
/** Its timeouts are in milliseconds, and it has no limit on text. */
const events = HOOK_EVENTS.filter(({ name }) => !UNHEARD.has(name)).map(({ name, matcher, timeout }) => {
  const event = { name, timeout: timeout * 1000, parts: 1 };
  return matcher === undefined ? event : Object.assign(event, { matcher });
});

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events,
  sampled: "PostToolUse",
  layout: { kind: "groups" },
  settingsFile: (scope, { root, home }) => join(scope === "user" ? home : root, ".qwen", "settings.json"),
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    transcript_path: join(directory, "transcript.jsonl"),
    cwd: directory,
    hook_event_name: "PostToolUse",
    timestamp: "2026-01-01T00:00:00.000Z",
    permission_mode: "default",
    tool_name: "read_file",
    tool_input: { file_path: file },
    tool_use_id: "toolu_codelia_doctor",
  }),
};
