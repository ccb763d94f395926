import { basename } from "node:path";
import type { Plugin } from "../config/plugin-entry.ts";
import type { Layer } from "../config/config-layers.ts";

/** A plugin with the place that it was configured in. */
export interface PlacedPlugin {
  readonly name: string;
  readonly plugin: Plugin;
  /** `plugins[0]` */
  readonly key: string;
  /** The config file. */
  readonly source: string;
  readonly isProject: boolean;
}

/** Every plugin, in the order in which they have their say: the user's first. */
export function placedPlugins(layers: readonly Layer[]): PlacedPlugin[] {
  return layers.flatMap(({ source, config, isProject = false }) =>
    (config.plugins ?? []).map((plugin, index) => ({
      name: plugin.name ?? ownName(plugin),
      plugin,
      key: `plugins[${index}]`,
      source,
      isProject,
    })),
  );
}

function ownName({ path, command }: Plugin): string {
  return basename(path ?? command?.[0] ?? "").replace(/\.[^.]+$/, "");
}
