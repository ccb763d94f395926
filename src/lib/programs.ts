import { dirname, join, delimiter, extname, isAbsolute, resolve, sep } from "node:path";
import type { World } from "../world.ts";
import { disk } from "./fs.ts";
import { isFile, isTaken, realPathOf, realPlace, isSamePlace } from "./path-facts.ts";
import { isInside, isPathOf } from "./paths.ts";

/**
 * A program of the user's machine, never one that a clone brings along, however PATH is set.
 *
 * @input  tree: in the clone, which is also each directory above it with a `.git`, as around a worktree; the program may
 *         not be in it, nor be a link into it
 * @output its path as PATH names it; undefined where there is none
 */
export function findProgram(world: World, name: string, tree: string): string | undefined {
  const trees = [tree, realPathOf(tree) ?? tree];
  const places = [...trees, ...trees.flatMap((place) => clonesAround(world, place))];
  const isForeign = (path: string) => !places.some((place) => isInside(place, path));
  return candidatesOnPath(world, name).find((path) => {
    if (!isForeign(path) || !isExecutable(path)) return false;
    const real = realPathOf(path);
    return real !== undefined && isForeign(real);
  });
}

/** Below the home directory: one who keeps that in git has written what is in it. */
function clonesAround(world: World, tree: string): string[] {
  const found: string[] = [];
  for (let place = dirname(tree); place !== dirname(place) && place !== world.home; place = dirname(place)) {
    if (isTaken(join(place, ".git"))) found.push(place);
  }
  return found;
}

/**
 * The words that call this program from anywhere: its path as its user named it, so that a link that an update moves
 * stays one; or a runtime and a script.
 */
export function ownProgram(world: World): readonly string[] {
  const { executable, calledAs, script } = world.program();
  if (script !== undefined && isAbsolute(script) && isScript(script)) return [executable, script];
  const named = namedBy(world, calledAs).find((path) => isSamePlace(path, executable));
  return [named ?? executable];
}

/** Whether a file is there that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    disk.assertExecutable(path);
    return isFile(path);
  } catch {
    return false;
  }
}

/** Where a shell would find a program; undefined where it would not. */
export function findOnPath(world: World, name: string): string | undefined {
  return candidatesOnPath(world, name).find(isExecutable);
}

function namedBy(world: World, calledAs: string): string[] {
  if (calledAs === "") return [];
  return isPathOf(calledAs) ? [resolve(world.cwd(), calledAs)] : candidatesOnPath(world, calledAs);
}

/** In the order of PATH; relative directories in it are passed over. */
export function candidatesOnPath(world: World, name: string): string[] {
  const directories = (world.env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  // Whoever says `git` on Windows means `git.exe`.
  const file = sep === "/" || extname(name) !== "" ? name : `${name}.exe`;
  return directories.map((directory) => join(directory, file));
}

/** Package managers link to a script by a name without an ending. */
function isScript(path: string): boolean {
  const place = realPlace(path);
  return place !== undefined && !place.isDirectory && /\.[cm]?[jt]s$/.test(place.path);
}
