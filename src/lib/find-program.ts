import { dirname, join } from "node:path";
import type { World } from "../world.ts";
import { isInside } from "./paths.ts";
import { candidatesOnPath, isExecutable } from "./own-program.ts";
import { isTaken, realPathOf } from "./same-place.ts";

/**
 * A program of the user's machine, never one that a clone brings along, however PATH is set.
 *
 * @input  tree: in the clone, which is also each directory above it with a `.git`, as around a worktree; the program may
 *         not be in it, nor be a link into it
 * @output its path as PATH names it; undefined where there is none
 * @effect none
 * @error  none
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
