import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";
import { kimiHome } from "./files.ts";

const TIMEOUT = 10;
const OTHERS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SessionEnd"];

export const settings: Part<ClientSettings> = {
  // It reads no hooks of a project.
  scopes: ["user"],
  events: [
    { name: "SessionStart", matcher: "resume", timeout: TIMEOUT, parts: 1 },
    ...OTHERS.map((name) => ({ name, timeout: TIMEOUT, parts: 1 })),
  ],
  sampled: "PreToolUse",
  layout: { kind: "tables" },
  settingsFile: (_, { home, env }) => join(kimiHome({ home, env }), "config.toml"),
  sampleEvent: (directory, file) => ({
    hook_event_name: "PreToolUse",
    session_id: "codelia-doctor",
    cwd: directory,
    client_type: "kimi-code-cli",
    tool_name: "Read",
    tool_input: { path: file },
    tool_call_id: "codelia_doctor",
  }),
};
