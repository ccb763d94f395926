import type { Config } from "./config.ts";
import type { HookPoint } from "./plugin-entry.ts";
import { DEFAULT_SETTINGS, overlay, type Settings } from "./settings.ts";

/** One source of configuration. Later layers win. */
export interface Layer {
  /** A file's path, or "environment", "flags". */
  readonly source: string;
  readonly config: Config;
  /** It came with the project. */
  readonly isProject?: boolean;
}

export function effectiveSettings(layers: readonly Layer[]): Settings {
  let settings = DEFAULT_SETTINGS;
  for (const layer of layers) settings = overlay(settings, layer.config);
  return settings;
}

/** Whether any plugin has a say at a hook point. Asked on the way of every call: no plugin, no cost. */
export function hasPlugin(
  layers: readonly Layer[],
  env: Readonly<Record<string, string | undefined>>,
  point: HookPoint,
): boolean {
  for (const { config } of layers) {
    if (config.plugins === undefined) continue;
    for (const { hooks } of config.plugins) if (hooks.includes(point)) return env["CODELIA_PLUGINS"] !== "0";
  }
  return false;
}
