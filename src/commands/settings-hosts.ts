import type { SettingsHost } from "../core/host-hooks/settings-host.ts";
import { claudeSettings } from "../hosts/claude-settings.ts";
import { clineSettings } from "../hosts/cline-settings.ts";
import { codexSettings } from "../hosts/codex-settings.ts";
import { cursorSettings } from "../hosts/cursor-settings.ts";
import { geminiSettings } from "../hosts/gemini-settings.ts";
import { opencodeSettings } from "../hosts/opencode-settings.ts";
import { qwenSettings } from "../hosts/qwen-settings.ts";
import { vscodeSettings } from "../hosts/vscode-settings.ts";

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
