import { join } from "node:path";
import { disk, errnoOf } from "../lib/fs.ts";
import { isLinked } from "../lib/same-place.ts";

const CONFIG_NAMES = ["config.json", "config.jsonc", "config.yaml", "config.yml", "config.toml"];

export type ConfigFileFound =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string; readonly realPath: string; readonly mark: string }
  | { readonly kind: "unusable"; readonly path: string; readonly problem: string };

/**
 * The config file of the first directory that has one.
 *
 * @input  directories: best first; followLinks: for the user's own files, never for a clone's
 * @output the file with a mark that changes whenever the file does
 * @effect none
 * @error  none
 */
export function findConfigFile(directories: readonly string[], followLinks: boolean): ConfigFileFound {
  for (const directory of directories) {
    // Of the user's own it must be known whether they are there: they may hold what denies.
    const paths = configPathsIn(directory, followLinks);
    const [path, second] = paths;
    if (path === undefined) continue;
    if (second !== undefined) {
      return { kind: "unusable", path, problem: `'${second}' stands beside it; keep one of the two` };
    }
    if (!followLinks && isLinked(directory)) {
      return { kind: "unusable", path, problem: "the directory it is in is a link" };
    }
    return judge(path, followLinks);
  }
  return { kind: "none" };
}

/**
 * The config files in one directory, whatever they are.
 *
 * @input  withHidden: where it may not be looked at, the first one that may be there counts
 */
export function configPathsIn(directory: string, withHidden = false): string[] {
  const found: string[] = [];
  // Most directories asked for are not there: one look instead of one for each name.
  const there = presence(directory);
  if (there === "absent" || (there === "hidden" && !withHidden)) return found;
  for (const name of CONFIG_NAMES) {
    const path = join(directory, name);
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
    const errno = errnoOf(error);
    if (errno === "EACCES") return "hidden";
    return ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(errno) ? "absent" : "there";
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
