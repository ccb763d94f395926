import { join } from "node:path";
import type { Part } from "../client.ts";
import type { ClientSettings } from "../settings/model.ts";

const TIMEOUT = 10;
/** What is said of a start has no limit. */
const STARTS = ["sessionStart", "subagentStart"].map((name) => ({
  name,
  timeout: TIMEOUT,
  parts: 1,
  isWhole: true as const,
}));
const OTHERS = ["userPromptSubmitted", "postToolUse", "preCompact", "subagentStop", "sessionEnd"].map((name) => ({
  name,
  timeout: TIMEOUT,
  parts: 1,
}));

export const settings: Part<ClientSettings> = {
  scopes: ["project", "user"],
  events: [...STARTS, ...OTHERS],
  sampled: "postToolUse",
  layout: { kind: "flat", isTyped: true, frame: { version: 1 } },
  // Not the file of our hooks for VS Code, which reads the same directories.
  settingsFile: (scope, { root, home }) =>
    join(scope === "user" ? join(home, ".copilot") : join(root, ".github"), "hooks", "codelia-copilot.json"),
  afterInstall: (scope) =>
    scope === "project" ? ["'copilot -p' runs no hooks of a project: use '--scope user' for those"] : [],
  sampleEvent: (directory, file) => ({
    sessionId: "codelia-doctor",
    timestamp: 1_767_225_600_000,
    cwd: directory,
    toolName: "view",
    toolArgs: { path: file },
    toolResult: { resultType: "success", textResultForLlm: "" },
  }),
};
