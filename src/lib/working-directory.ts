import type { Stats } from "node:fs";
import { sep } from "node:path";
import type { World } from "../world.ts";
import { disk, identityOf } from "./fs.ts";

/** With fewer files, changing the directory costs more than it saves. */
export const WORTH_GOING = 64;
/** Below longer paths there may be files that can't be opened by their whole path. */
const MAX_PATH_UNITS = 250;

type Go = NonNullable<World["changeDirectory"]>;

/**
 * Runs `work` on many files of one directory with that as the working directory, so that the system looks up one name
 * for each instead of a whole path.
 *
 * @input  directory: canonical; work: synchronous; gets the prefix for names, which is the whole path if the process
 *          can't change its directory and come back
 * @effect those of `work`; if the process can't come back, it stays there, and only absolute paths are right
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
  // On Windows nobody could rename or remove the working directory of a process.
  return sep === "\\" || directory.length > MAX_PATH_UNITS ? undefined : changeDirectory;
}

/** The path of the working directory, if it really leads there. */
function wayBack(world: World, go: Go): string | undefined {
  try {
    const path = world.cwd();
    // Its name may not be UTF-8, or a directory above it may have become inaccessible.
    return isHere(disk.lookThrough(path)) && tryTo(go, path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Goes back at once if the directory turns out to be another one. */
function goInto(go: Go, directory: string, back: string): boolean {
  try {
    const there = disk.look(directory);
    if (!tryTo(go, directory)) return false;
    if (isHere(there)) return true;
  } catch {
    // If it can't be examined, it can't be verified.
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
