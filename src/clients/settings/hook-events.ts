import type { HookEvent } from "./settings-host.ts";

const TIMEOUT = 10;
/** A guided run may have a step checked by a command of minutes; without one the answer is there at once. */
const STOP_TIMEOUT = 600;
/** What a session begins with is more than one output may hold. */
const START_PARTS = 4;

/** What is registered with every host of this shape. */
export const HOOK_EVENTS: readonly HookEvent[] = [
  { name: "SessionStart", timeout: TIMEOUT, parts: START_PARTS },
  { name: "SubagentStart", timeout: TIMEOUT, parts: START_PARTS },
  { name: "PostCompact", timeout: TIMEOUT, parts: 1 },
  { name: "UserPromptSubmit", timeout: TIMEOUT, parts: 1 },
  { name: "PreToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "PostToolUse", matcher: "*", timeout: TIMEOUT, parts: 1 },
  { name: "Stop", timeout: STOP_TIMEOUT, parts: 1 },
  { name: "SubagentStop", timeout: TIMEOUT, parts: 1 },
  // Claude Code gives it a second and a half, Codex three.
  { name: "SessionEnd", timeout: 1, parts: 1 },
];
