import { join } from "node:path";
import { BUILD } from "../lib/build.ts";
import { disk, errnoOf, obstacleOf } from "../lib/fs.ts";
import { isLinked } from "../lib/path-facts.ts";
import { childOf } from "../lib/paths.ts";
import { readText } from "../lib/read-file.ts";
import type { World } from "../world.ts";
import type { ConfigProblem } from "./problem.ts";
import type { Config } from "./schema.ts";
import { directoryOfRoot, type UserDirectories } from "./user-directories.ts";

/** The cached parse of a config file, which is at most 64 KiB long. */
const MAX_MEMORY_BYTES = 512 * 1024;

const CONFIG_NAMES = ["config.json", "config.jsonc", "config.yaml", "config.yml", "config.toml"];

export type ConfigFileFound =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string; readonly realPath: string; readonly mark: string }
  | { readonly kind: "unusable"; readonly path: string; readonly problem: string };

export type ConfigFile = Extract<ConfigFileFound, { kind: "file" }>;

/**
 * The config file of the first directory that has one.
 *
 * @input  directories: best first; followLinks: for the user's own files, never for a clone's
 * @output the file with a mark that changes whenever the file does
 */
export function findConfigFile(directories: readonly string[], followLinks: boolean): ConfigFileFound {
  for (const directory of directories) {
    // The user's own files may contain deny rules, so they count even if they can't be examined.
    const paths = configPathsIn(directory, followLinks);
    const [path, second] = paths;
    if (path === undefined) continue;
    if (second !== undefined) {
      return { kind: "unusable", path, problem: `'${second}' is beside it; keep one of the two` };
    }
    if (!followLinks && isLinked(directory)) {
      return { kind: "unusable", path, problem: "the directory it is in is a link" };
    }
    return judge(path, followLinks);
  }
  return { kind: "none" };
}

/**
 * The config files in one directory, whatever kind of file they are.
 *
 * @input  withHidden: without permission to look, the first possible file counts as existing
 */
export function configPathsIn(directory: string, withHidden = false): string[] {
  const found: string[] = [];
  // Most of these directories don't exist: look once for the directory before looking for each name.
  const there = presence(directory);
  if (there === "absent" || (there === "hidden" && !withHidden)) return found;
  for (const name of CONFIG_NAMES) {
    const path = childOf(directory, name);
    const itself = presence(path);
    if (itself === "hidden" && withHidden) return [path];
    if (itself === "there") found.push(path);
  }
  return found;
}

function presence(path: string): "there" | "absent" | "hidden" {
  try {
    return disk.look(path) === undefined ? "absent" : "there";
  } catch (error) {
    if (errnoOf(error) === "EACCES") return "hidden";
    const obstacle = obstacleOf(error);
    return obstacle === "absent" || obstacle === "loop" ? "absent" : "there";
  }
}

function judge(path: string, followLinks: boolean): ConfigFileFound {
  try {
    const stats = followLinks ? disk.lookThrough(path) : disk.look(path);
    if (stats === undefined) return { kind: "unusable", path, problem: "it is a link to nothing" };
    if (!stats.isFile()) return { kind: "unusable", path, problem: "it is not a regular file" };
    const mark = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
    return { kind: "file", path, realPath: followLinks ? disk.realPath(path) : path, mark };
  } catch (error) {
    return { kind: "unusable", path, problem: `it can't be looked at (${errnoOf(error)})` };
  }
}

export interface LoadedLayer {
  readonly path: string | undefined;
  /** Undefined if there is no usable file. */
  readonly config: Config | undefined;
  /** Why the file can't be used, or which parts of it are ignored. */
  readonly problems: readonly ConfigProblem[];
  /** Another call may succeed, so this result is not cached. */
  readonly isPassing?: true;
  /** What a project's file asks its user to trust, and the hash of that file. It is not in `config`. */
  readonly asked?: { readonly config: Config; readonly sha256: string };
}

export interface LayerSource {
  readonly directories: readonly string[];
  /** The file belongs to the project: links to it are not followed, and it may not set everything. */
  readonly isProject: boolean;
  /** The cache directory, and the root or directory that the cached parse belongs to. */
  readonly cache: string;
  readonly owner: string;
}

/** The config of the project with this root. */
export function projectSource(root: string, { cache }: UserDirectories): LayerSource {
  return { directories: [join(root, ".codelia")], isProject: true, cache, owner: root };
}

/**
 * One layer of configuration, from the cache if the file has not changed.
 *
 * @output the validated config, the problems, or both; never neither if the file exists
 * @effect may cache the parse below the user's cache directory
 */
export function loadLayer(world: World, place: LayerSource): LoadedLayer | Promise<LoadedLayer> {
  const found = findConfigFile(place.directories, !place.isProject);
  if (found.kind === "none") return { path: undefined, config: undefined, problems: [] };
  if (found.kind === "unusable") {
    const { path, problem: message } = found;
    return { path, config: undefined, problems: [{ rule: "config-unusable", severity: "error", path, message }] };
  }
  const memory = join(directoryOfRoot(place.cache, place.owner), "config.json");
  const remembered = recall(memory, found);
  if (remembered !== undefined) return remembered;
  return import("./parse.ts").then(({ readAnew }) => readAnew(world, found, place.isProject, memory));
}

/** The parse of a config file that an earlier call of this build cached. */
function recall(memory: string, file: ConfigFile): LoadedLayer | undefined {
  const read = readText(memory, MAX_MEMORY_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const { build, mark, layer } = JSON.parse(read.text);
    const fits = build === BUILD && mark === file.mark && layer.path === file.path;
    return fits ? layer : undefined;
  } catch {
    return undefined;
  }
}
