import type { Stats } from "node:fs";
import { sep } from "node:path";
import type { World } from "../world.ts";
import { disk, identityOf } from "./fs.ts";

/** For fewer files, going there and back costs more than it saves. */
export const WORTH_GOING = 64;
/** Below longer paths, files can have names there that nobody can open by their whole path. */
const MAX_PATH_UNITS = 250;

type Go = NonNullable<World["changeDirectory"]>;

/**
 * Does something with many files of one directory while that is the working directory: the system then looks up one
 * name for each of them instead of the whole path.
 *
 * @input  directory: canonical; work: gets what to put before a name in it, which is the whole path where the process
 *         can't go there, or has no way back; it must not wait for anything
 * @effect those of `work`; where the way back is lost meanwhile, the process stays, and only whole paths are right
 * @error  those of `work`
 */
export function within<Result>(world: World, directory: string, work: (prefix: string) => Result): Result {
  const go = goesTo(world, directory);
  const back = go && wayBack(world, go);
  if (go === undefined || back === undefined || !goInto(go, directory, back)) return work(directory + sep);
  try {
    return work("");
  } finally {
    tryTo(go, back);
  }
}

function goesTo({ changeDirectory }: World, directory: string): Go | undefined {
  // Windows lets nobody rename or remove the working directory of a process.
  return sep === "\\" || directory.length > MAX_PATH_UNITS ? undefined : changeDirectory;
}

/** The path of the working directory, where it leads there. */
function wayBack(world: World, go: Go): string | undefined {
  try {
    const path = world.cwd();
    // It may have a name that is no UTF-8, or directories above that let nobody through any more.
    return isHere(disk.lookThrough(path)) && tryTo(go, path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Where it is another one on arrival, it is no place to stay: what it was is unknown. */
function goInto(go: Go, directory: string, back: string): boolean {
  try {
    const there = disk.look(directory);
    if (!tryTo(go, directory)) return false;
    if (isHere(there)) return true;
  } catch {
    // Whoever can't look at it can't tell where this is.
  }
  tryTo(go, back);
  return false;
}

function isHere(there: Stats | undefined): boolean {
  const here = disk.look(".");
  return there !== undefined && here !== undefined && identityOf(there) === identityOf(here);
}

function tryTo(go: Go, directory: string): boolean {
  try {
    go(directory);
    return true;
  } catch {
    return false;
  }
}
