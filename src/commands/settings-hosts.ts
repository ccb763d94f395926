import type { SettingsHost } from "../core/host-hooks/settings-host.ts";
import { claudeSettings } from "../hosts/claude-settings.ts";
import { codexSettings } from "../hosts/codex-settings.ts";

/** The hosts whose settings we can write, in the order in which they are shown. */
export const SETTINGS_HOSTS: readonly SettingsHost[] = [claudeSettings, codexSettings];

export const HOST_NAMES: readonly string[] = SETTINGS_HOSTS.map(({ name }) => name);

export function settingsHost(name: string): SettingsHost | undefined {
  return SETTINGS_HOSTS.find((host) => host.name === name);
}
