import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

const TIMEOUT = 10;
const EVENTS = ["SessionStart", "SubagentStart", "PreCompact", "PreToolUse", "PostToolUse", "SubagentStop"];

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: EVENTS.map((name) => ({ name, timeout: TIMEOUT, parts: 1 })),
  sampled: "PreToolUse",
  layout: { kind: "flat", isTyped: true, frame: {} },
  settingsFile: (scope, { root, home }) =>
    scope === "user" ? join(home, ".copilot", "hooks", "codelia.json") : join(root, ".github", "hooks", "codelia.json"),
  afterInstall: () => ["VS Code reads Claude Code's settings as well: one of the two is enough for it"],
  sampleEvent: (directory, file) => ({
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: directory,
    session_id: "codelia-doctor",
    hook_event_name: "PreToolUse",
    transcript_path: join(directory, "transcript.json"),
    tool_name: "read_file",
    tool_input: { filePath: file },
    tool_use_id: "tool-codelia-doctor",
  }),
};
