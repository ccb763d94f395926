import { claudeSettings } from "./claude/settings.ts";
import { clineSettings } from "./cline/settings.ts";
import { codexSettings } from "./codex/settings.ts";
import { cursorSettings } from "./cursor/settings.ts";
import { geminiSettings } from "./gemini/settings.ts";
import { opencodeSettings } from "./opencode/settings.ts";
import { qwenSettings } from "./qwen/settings.ts";
import type { SettingsHost } from "./settings/host.ts";
import { vscodeSettings } from "./vscode/settings.ts";

/** The hosts whose settings we can write, in the order in which they are shown. */
export const SETTINGS_HOSTS: readonly SettingsHost[] = [
  claudeSettings,
  codexSettings,
  geminiSettings,
  qwenSettings,
  vscodeSettings,
  cursorSettings,
  opencodeSettings,
  clineSettings,
];

export const HOST_NAMES: readonly string[] = SETTINGS_HOSTS.map(({ name }) => name);

export function settingsHost(name: string): SettingsHost | undefined {
  return SETTINGS_HOSTS.find((host) => host.name === name);
}
