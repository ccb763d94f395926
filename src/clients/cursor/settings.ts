import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

const TIMEOUT = 10;
const EVENTS = ["sessionStart", "postToolUse", "preCompact", "sessionEnd"];

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: EVENTS.map((name) => ({ name, timeout: TIMEOUT, parts: 1 })),
  sampled: "postToolUse",
  layout: { kind: "flat", isTyped: false, frame: { version: 1 } },
  settingsFile: (scope, { root, home }) => join(scope === "user" ? home : root, ".cursor", "hooks.json"),
  afterInstall: () => ["Cursor can read Claude Code's settings as well: one of the two is enough for it"],
  sampleEvent: (directory, file) => ({
    conversation_id: "codelia-doctor",
    generation_id: "1",
    hook_event_name: "postToolUse",
    cursor_version: "2.4.0",
    workspace_roots: [directory],
    tool_name: "Read",
    tool_input: { file_path: file },
    tool_output: "{}",
    tool_use_id: "codelia_doctor",
    cwd: directory,
    duration: 1,
  }),
};
