import { isTable } from "../lib/table.ts";
import type { Config, ExtensionPoint } from "./schema.ts";

export const DEFAULT_MARKERS: readonly string[] = [".codelia", ".git", ".jj"];

/** The effective configuration, with every value present. */
export interface Settings {
  readonly agents: {
    readonly enabled: boolean;
    readonly usage: boolean;
    readonly fallbackFilenames: readonly string[];
    readonly additionalFilenames: readonly string[];
    readonly ignore: readonly string[];
    readonly root: {
      readonly projectRootOverride: string | undefined;
      readonly markers: readonly string[];
      readonly stopAtFsRoot: boolean;
    };
    readonly initial: { readonly maxFiles: number; readonly maxBytes: number; readonly keep: Keep };
    readonly resolver: {
      readonly enabled: boolean;
      readonly maxFilesPerResolve: number;
      readonly delivery: "paths" | "escalate" | "body";
      readonly gate: "off" | "edit" | "tell";
    };
  };
  readonly skills: {
    readonly enabled: boolean;
    readonly validation: "strict" | "lenient";
    /** Every name that some layer disables. */
    readonly disabled: readonly string[];
    /** Where skills are, relative to each directory of the ladder and to the home. */
    readonly directories: readonly string[];
    readonly initial: { readonly maxEntries: number; readonly maxBytes: number };
    readonly search: { readonly defaultLimit: number; readonly maxLimit: number };
    readonly suggest: number;
  };
}

export type Keep = "root-first" | "nearest-first";

export const DEFAULT_SETTINGS: Settings = {
  agents: {
    enabled: true,
    usage: true,
    fallbackFilenames: [],
    additionalFilenames: [],
    ignore: ["node_modules"],
    root: { projectRootOverride: undefined, markers: DEFAULT_MARKERS, stopAtFsRoot: true },
    initial: { maxFiles: 64, maxBytes: 256 * 1024, keep: "root-first" },
    resolver: { enabled: true, maxFilesPerResolve: 8, delivery: "paths", gate: "off" },
  },
  skills: {
    enabled: true,
    validation: "strict",
    disabled: [],
    directories: [".agents/skills"],
    initial: { maxEntries: 200, maxBytes: 32 * 1024 },
    search: { defaultLimit: 8, maxLimit: 50 },
    suggest: 0,
  },
};

/**
 * Applies `layer` to `base`, value by value. A list replaces a list, but skills that one layer disables stay disabled.
 */
export function overlay(base: Settings, layer: Config): Settings {
  const merged = overlayValue(base, layer) as Settings;
  const earlier = base.skills.disabled;
  if (earlier.length === 0 || merged.skills.disabled === earlier) return merged;
  return { ...merged, skills: { ...merged.skills, disabled: [...new Set([...earlier, ...merged.skills.disabled])] } };
}

function overlayValue(base: unknown, layer: unknown): unknown {
  if (layer === undefined) return base;
  if (!isTable(base) || !isTable(layer)) return layer;
  const merged: Record<string, unknown> = { ...base };
  for (const key of Object.keys(base)) {
    if (Object.hasOwn(layer, key)) merged[key] = overlayValue(base[key], layer[key]);
  }
  return merged;
}

/** One source of configuration. Later layers win. */
export interface Layer {
  /** A file's path, or "environment", "flags". */
  readonly source: string;
  readonly config: Config;
  /** It belongs to the project. */
  readonly isProject?: boolean;
}

export function effectiveSettings(layers: readonly Layer[]): Settings {
  let settings = DEFAULT_SETTINGS;
  for (const layer of layers) settings = overlay(settings, layer.config);
  return settings;
}

/** Whether any plugin takes part at an extension point. */
export function hasPlugin(
  layers: readonly Layer[],
  env: Readonly<Record<string, string | undefined>>,
  point: ExtensionPoint,
): boolean {
  for (const { config } of layers) {
    if (config.plugins === undefined) continue;
    for (const { hooks } of config.plugins) if (hooks.includes(point)) return env["CODELIA_PLUGINS"] !== "0";
  }
  return false;
}
