import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { projectFile } from "../config/project-layer.ts";
import type { Plugin } from "../config/schema.ts";
import type { Layer } from "../config/settings.ts";
import type { UserDirectories } from "../config/user-directories.ts";
import { isFile } from "../lib/path-facts.ts";
import { findOnPath } from "../lib/programs.ts";
import { trustOfProjectFile } from "../trust/verify.ts";
import type { World } from "../world.ts";

export interface ConfiguredPlugin {
  readonly name: string;
  /** Its entry in the config file. */
  readonly entry: Plugin;
  /** `plugins[0]` */
  readonly key: string;
  /** The config file. */
  readonly source: string;
  readonly isProject: boolean;
}

/** Every plugin in the order in which they are asked: the user's before the project's. */
export function configuredPlugins(layers: readonly Layer[]): ConfiguredPlugin[] {
  return layers.flatMap(({ source, config, isProject = false }) =>
    (config.plugins ?? []).map((entry, index) => ({
      name: entry.name ?? basename(entry.path ?? entry.command?.[0] ?? "").replace(/\.[^.]+$/, ""),
      entry,
      key: `plugins[${index}]`,
      source,
      isProject,
    })),
  );
}

/** `directory` is where it runs: never the working directory, which may belong to others. */
export type RunnablePlugin =
  | { readonly kind: "module"; readonly file: string; readonly directory: string }
  | { readonly kind: "program"; readonly words: readonly string[]; readonly directory: string };

export type FoundPlugin = RunnablePlugin | { readonly kind: "unusable"; readonly reason: string };

/**
 * What to run for a plugin: the user's own file as it is, or the verified copy of a project's file.
 *
 * @param root of the project, for a project's plugin
 */
export function findPlugin(
  world: World,
  userDirectories: UserDirectories,
  root: string,
  plugin: ConfiguredPlugin,
): FoundPlugin {
  const { entry, source, isProject } = plugin;
  if (isProject) return findTrusted(userDirectories, root, entry);
  const directory = dirname(source);
  if (entry.path !== undefined) {
    const file = resolve(directory, entry.path);
    return isFile(file) ? { kind: "module", file, directory } : unusable(`'${file}' is not a file`);
  }
  const [program = "", ...args] = entry.command ?? [];
  const found = program.includes("/") || isAbsolute(program) ? resolve(directory, program) : findOnPath(world, program);
  if (found === undefined) return unusable(`'${program}' is not on PATH`);
  if (!isFile(found)) return unusable(`'${found}' is not a file`);
  return { kind: "program", words: [found, ...args], directory };
}

function findTrusted(userDirectories: UserDirectories, root: string, entry: Plugin): FoundPlugin {
  const file = projectFile(entry);
  if (file === undefined) return unusable("it is not inside the project");
  const trust = trustOfProjectFile(userDirectories, root, file);
  if (trust.kind === "untrusted") {
    return unusable(`${trust.reason}; run 'codelia trust' in '${root}' to review it`);
  }
  const directory = join(trust.directory, ".codelia");
  const copy = join(trust.directory, file);
  if (entry.command === undefined) return { kind: "module", file: copy, directory };
  return { kind: "program", words: [copy, ...entry.command.slice(1)], directory };
}

function unusable(reason: string): FoundPlugin {
  return { kind: "unusable", reason };
}
