import { join } from "node:path";
import { placeOfRoot } from "./user-places.ts";
import type { Config } from "./config.ts";
import type { World } from "../world.ts";
import { findConfigFile, type ConfigFileFound } from "./config-file.ts";
import { recall } from "./config-memory.ts";

export interface LoadedLayer {
  readonly path: string | undefined;
  /** Undefined where there is no file, or none that can be used. */
  readonly config: Config | undefined;
  /** Why the file can't be used, or what in it was not heeded. */
  readonly problems: readonly string[];
  /** Another call may be able to use the file: this outcome is not remembered. */
  readonly isPassing?: true;
  /** What a project's file asks its user to trust it with, and the hash of that file. It is not in `config`. */
  readonly asked?: { readonly config: Config; readonly sha256: string };
}

export interface LayerPlace {
  readonly directories: readonly string[];
  /** A clone's own file: no link to it is followed, and it may not ask for everything. */
  readonly isProject: boolean;
  /** The cache directory, and the root or directory that the remembered parse belongs to. */
  readonly cache: string;
  readonly owner: string;
}

/**
 * One layer of configuration, from memory where the file is as it was.
 *
 * @input  place: where to look
 * @output the validated config, or the problems; never both absent when there is a file
 * @effect may write the remembered parse below the user's cache directory
 * @error  none
 */
export function loadLayer(world: World, place: LayerPlace): LoadedLayer | Promise<LoadedLayer> {
  const found = findConfigFile(place.directories, !place.isProject);
  if (found.kind === "none") return { path: undefined, config: undefined, problems: [] };
  if (found.kind === "unusable") return { path: found.path, config: undefined, problems: [found.problem] };
  const memory = join(placeOfRoot(place.cache, place.owner), "config.json");
  const remembered = recall(memory, found);
  if (remembered !== undefined) return remembered;
  return import("./config-anew.ts").then(({ readAnew }) => readAnew(world, found, place.isProject, memory));
}

export type ConfigFile = Extract<ConfigFileFound, { kind: "file" }>;
