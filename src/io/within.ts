import type { Stats } from "node:fs";
import { sep } from "node:path";
import type { World } from "../world.ts";
import { disk, identityOf } from "./disk.ts";

/** For fewer files, going there and back costs more than it saves. */
export const WORTH_GOING = 64;

/**
 * Does something with many files of one directory while that is the working directory: the system then looks up one
 * name for each of them instead of the whole path.
 *
 * @input  directory: canonical; work: gets what to put before a name in it, which is the whole path where the process
 *         can't go there, or might not come back; it must not wait for anything
 * @effect those of `work`
 * @error  those of `work`
 */
export function within<Result>(world: World, directory: string, work: (prefix: string) => Result): Result {
  const back = wayBack(world);
  if (back === undefined || !goInto(world, directory, back)) return work(directory + sep);
  try {
    return work("");
  } finally {
    tryToGo(world, back);
  }
}

/** The path of the working directory, where it leads there. */
function wayBack(world: World): string | undefined {
  // Windows lets nobody rename or remove the working directory of a process.
  if (sep === "\\") return undefined;
  try {
    const path = world.cwd();
    // It may have a name that is no UTF-8, or directories above that let nobody through any more.
    return isHere(disk.lookThrough(path)) && tryToGo(world, path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Not into what is put in its place meanwhile. */
function goInto(world: World, directory: string, back: string): boolean {
  try {
    const there = disk.look(directory);
    if (!tryToGo(world, directory)) return false;
    if (isHere(there)) return true;
  } catch {
    // Whoever can't look at it can't tell where this is.
  }
  tryToGo(world, back);
  return false;
}

function isHere(there: Stats | undefined): boolean {
  const here = disk.look(".");
  return there !== undefined && here !== undefined && identityOf(there) === identityOf(here);
}

function tryToGo(world: World, directory: string): boolean {
  try {
    world.changeDirectory(directory);
    return true;
  } catch {
    return false;
  }
}
