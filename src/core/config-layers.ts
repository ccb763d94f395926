import type { Config } from "../schema/config.ts";
import { DEFAULT_SETTINGS, overlay, type Settings } from "./settings.ts";

/** One source of configuration. Later layers win. */
export interface Layer {
  /** A file's path, or "environment", "flags". */
  readonly source: string;
  readonly config: Config;
}

export function effectiveSettings(layers: readonly Layer[]): Settings {
  let settings = DEFAULT_SETTINGS;
  for (const layer of layers) settings = overlay(settings, layer.config);
  return settings;
}
