import { dirname, join, delimiter, extname, isAbsolute, resolve, sep } from "node:path";
import type { World } from "../world.ts";
import { disk } from "./fs.ts";
import { isFile, isTaken, realPathOf, realEntry, isSameFile } from "./path-facts.ts";
import { isInside, isPathOf } from "./paths.ts";
import { quoteForShell } from "./shell-quote.ts";

/**
 * Finds a program on the user's machine, never one from a clone, whatever PATH says.
 *
 * @input  tree: a directory in the clone; directories above it with a `.git` count as clones too, as around a worktree.
 *          The program must not be in one, nor be a link into one
 * @output its path as PATH names it; undefined if there is none
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

/** Clones around a tree, except the home directory: users who keep that in git wrote its files themselves. */
function clonesAround(world: World, tree: string): string[] {
  const found: string[] = [];
  for (let place = dirname(tree); place !== dirname(place) && place !== world.home; place = dirname(place)) {
    if (isTaken(join(place, ".git"))) found.push(place);
  }
  return found;
}

/**
 * The words that call this program from anywhere: its path as the user named it, so that a link that updates move stays
 * a link; or a runtime and a script.
 */
export function ownProgram(world: World): readonly string[] {
  const { executable, calledAs, script } = world.program();
  if (script !== undefined && isAbsolute(script) && isScript(script)) return [executable, script];
  const named = namedBy(world, calledAs).find((path) => isSameFile(path, executable));
  return [named ?? executable];
}

/** How a shell calls this program: by its name, or by its path if PATH does not have the name. */
export function nameInShell(world: World, name: string): string {
  return findOnPath(world, name) === undefined ? ownProgram(world).map(quoteForShell).join(" ") : name;
}

/** Whether a path leads to a file that this user may run. */
export function isExecutable(path: string): boolean {
  // Most are not there. Finding that out costs much less than an error.
  if (!isFile(path)) return false;
  try {
    disk.assertExecutable(path);
    return true;
  } catch {
    return false;
  }
}

/** The path where a shell would find a program, or undefined. */
export function findOnPath(world: World, name: string): string | undefined {
  return candidatesOnPath(world, name).find(isExecutable);
}

function namedBy(world: World, calledAs: string): string[] {
  if (calledAs === "") return [];
  return isPathOf(calledAs) ? [resolve(world.cwd(), calledAs)] : candidatesOnPath(world, calledAs);
}

/** In the order of PATH, without its relative directories. */
export function candidatesOnPath(world: World, name: string): string[] {
  const directories = (world.env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  // On Windows, `git` means `git.exe`.
  const file = sep === "/" || extname(name) !== "" ? name : `${name}.exe`;
  return directories.map((directory) => join(directory, file));
}

/** Links are followed: package managers link to a script by a name without an extension. */
function isScript(path: string): boolean {
  const place = realEntry(path);
  return place !== undefined && !place.isDirectory && /\.[cm]?[jt]s$/.test(place.path);
}
