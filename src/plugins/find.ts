import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { projectFile } from "../config/project-layer.ts";
import type { Plugin } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { findOnPath, isFile } from "../lib/programs.ts";
import { trustedCopy } from "../trust/records.ts";
import type { World } from "../world.ts";

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

/** What is started for a plugin. */
export type FoundPlugin =
  | { readonly kind: "module"; readonly file: string; readonly directory: string }
  | { readonly kind: "program"; readonly words: readonly string[]; readonly directory: string }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The file that is run for a plugin: the user's own where it stands, a project's only as the verified copy.
 *
 * @input  root: the directory of the project that a project's plugin came with
 * @output with the directory it is run in: never the working directory, which may be a stranger's
 * @effect reads a project's plugin
 * @error  none
 */
export function findPlugin(world: World, places: UserPlaces, root: string, placed: PlacedPlugin): FoundPlugin {
  const { plugin, source, isProject } = placed;
  if (isProject) return findTrusted(places, root, placed);
  const directory = dirname(source);
  const [program = "", ...args] = plugin.command ?? [];
  if (plugin.path !== undefined) {
    const file = resolve(directory, plugin.path);
    return isFile(file) ? { kind: "module", file, directory } : unusable(`'${file}' is no file`);
  }
  const found = program.includes("/") || isAbsolute(program) ? resolve(directory, program) : findOnPath(world, program);
  if (found === undefined) return unusable(`'${program}' is not on PATH`);
  if (!isFile(found)) return unusable(`'${found}' is no file`);
  return { kind: "program", words: [found, ...args], directory };
}

function findTrusted(places: UserPlaces, root: string, { plugin }: PlacedPlugin): FoundPlugin {
  const file = projectFile(plugin);
  if (file === undefined) return unusable("it is not inside the project");
  const trust = trustedCopy(places, root, file);
  if (trust.kind === "untrusted") {
    return unusable(`${trust.reason}; 'codelia trust' in '${root}' shows it, and asks you`);
  }
  const directory = join(trust.directory, ".codelia");
  if (plugin.command === undefined) return { kind: "module", file: trust.copy, directory };
  return { kind: "program", words: [trust.copy, ...plugin.command.slice(1)], directory };
}

function unusable(reason: string): FoundPlugin {
  return { kind: "unusable", reason };
}
