import { claudeSettings } from "./claude/settings.ts";
import { clineSettings } from "./cline/settings.ts";
import { codexSettings } from "./codex/settings.ts";
import { cursorSettings } from "./cursor/settings.ts";
import { geminiSettings } from "./gemini/settings.ts";
import { opencodeSettings } from "./opencode/settings.ts";
import { qwenSettings } from "./qwen/settings.ts";
import type { ClientSettings } from "./settings/model.ts";
import { vscodeSettings } from "./vscode/settings.ts";

/** The clients whose settings we can write, in the order in which they are shown. */
export const CLIENT_SETTINGS: readonly ClientSettings[] = [
  claudeSettings,
  codexSettings,
  geminiSettings,
  qwenSettings,
  vscodeSettings,
  cursorSettings,
  opencodeSettings,
  clineSettings,
];

export const CLIENT_NAMES: readonly string[] = CLIENT_SETTINGS.map(({ name }) => name);

export function settingsOf(name: string): ClientSettings | undefined {
  return CLIENT_SETTINGS.find((client) => client.name === name);
}
