import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

const EVENTS = ["TaskStart", "PreToolUse", "PostToolUse", "PreCompact"];
const EXECUTABLE = 0o755;

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: EVENTS.map((name) => ({ name, timeout: 10, parts: 1 })),
  sampled: "PreToolUse",
  layout: {
    kind: "scripts",
    mode: EXECUTABLE,
    script: (call, mark) => `#!/bin/sh\n# ${mark}, and written anew by it: changes are lost.\n${call}\n`,
  },
  settingsFile: (scope, { root, home }) =>
    scope === "user" ? join(home, "Documents", "Cline", "Hooks") : join(root, ".clinerules", "hooks"),
  afterInstall: () => ["cline runs hooks where its setting 'Enable Hooks' is on"],
  sampleEvent: (directory, file) => ({
    clineVersion: "3.0.0",
    hookName: "PreToolUse",
    timestamp: "1767225600000",
    taskId: "codelia-doctor",
    workspaceRoots: [directory],
    userId: "codelia-doctor",
    preToolUse: { toolName: "read_file", parameters: { path: file } },
  }),
};
