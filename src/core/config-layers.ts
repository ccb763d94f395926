import type { Config } from "../schema/config.ts";
import { DEFAULT_SETTINGS, overlay, type Settings } from "./settings.ts";

/** One source of configuration. Later layers win. */
export interface Layer {
  /** A file's path, or "environment", "flags". */
  readonly source: string;
  readonly config: Config;
}

export interface EffectiveValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
}

export function effectiveSettings(layers: readonly Layer[]): Settings {
  let settings = DEFAULT_SETTINGS;
  for (const layer of layers) settings = overlay(settings, layer.config);
  return settings;
}

/** Each leaf with the layer it comes from, in the order of the settings. */
export function effectiveValues(layers: readonly Layer[]): EffectiveValue[] {
  const settings = effectiveSettings(layers);
  return leaves(settings, []).map(({ path, value }) => {
    const owner = layers.findLast((layer) => lookUp(layer.config, path) !== undefined);
    return { key: path.join("."), value: value ?? null, source: owner?.source ?? "default" };
  });
}

function leaves(value: unknown, path: readonly string[]): { path: readonly string[]; value: unknown }[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function lookUp(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
