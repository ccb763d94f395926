import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

const TIMEOUT_MS = 10_000;

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: [
    { name: "SessionStart", timeout: TIMEOUT_MS, parts: 1 },
    { name: "BeforeAgent", timeout: TIMEOUT_MS, parts: 1 },
    { name: "AfterTool", matcher: "*", timeout: TIMEOUT_MS, parts: 1 },
    { name: "SessionEnd", timeout: TIMEOUT_MS, parts: 1 },
  ],
  sampled: "AfterTool",
  layout: { kind: "groups" },
  settingsFile: (scope, { root, home }) => join(scope === "user" ? home : root, ".gemini", "settings.json"),
  afterInstall: (scope) =>
    scope === "project" ? ["gemini reads '.gemini' only in a folder that it trusts, and warns of new hooks once"] : [],
  sampleEvent: (directory, file) => ({
    session_id: "codelia-doctor",
    transcript_path: join(directory, "transcript.json"),
    cwd: directory,
    hook_event_name: "AfterTool",
    timestamp: "2026-01-01T00:00:00.000Z",
    tool_name: "read_file",
    tool_input: { file_path: file },
    tool_response: { llmContent: "" },
  }),
};
