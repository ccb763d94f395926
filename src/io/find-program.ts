import type { World } from "../world.ts";
import { isInside } from "../core/paths.ts";
import { disk } from "./disk.ts";
import { candidatesOnPath, isExecutable } from "./own-program.ts";

/**
 * A program of the user's machine, never one that a clone brings along, however PATH is set.
 *
 * @input  tree: the clone; the program may not be in it, nor be a link into it
 * @output its path as PATH names it; undefined where there is none
 * @effect none
 * @error  none
 */
export function findProgram(world: World, name: string, tree: string): string | undefined {
  const places = [tree, realPathOf(tree) ?? tree];
  const isForeign = (path: string) => !places.some((place) => isInside(place, path));
  return candidatesOnPath(world, name).find((path) => {
    if (!isForeign(path) || !isExecutable(path)) return false;
    const real = realPathOf(path);
    return real !== undefined && isForeign(real);
  });
}

function realPathOf(path: string): string | undefined {
  try {
    return disk.realPath(path);
  } catch {
    return undefined;
  }
}
