import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Everything below a directory, links not followed, paths from it. What can't be looked at is left out. */
export function treeEntries(root: string, below = "", found = new Map<string, Stats>()): Map<string, Stats> {
  for (const name of namesIn(join(root, below))) {
    const path = join(below, name);
    // What no path reaches, and a name that is no text, is not found under this one.
    const stats = statsOf(join(root, path));
    if (stats === undefined) continue;
    found.set(path, stats);
    if (stats.isDirectory()) treeEntries(root, path, found);
  }
  return found;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** A directory's own time says nothing but that something in it came or went. */
export function isSameEntry(then: Stats | undefined, now: Stats): boolean {
  if (then === undefined || then.ino !== now.ino || then.mode !== now.mode) return false;
  return now.isDirectory() || (then.size === now.size && then.mtimeMs === now.mtimeMs && then.ctimeMs === now.ctimeMs);
}

/** Where the program may write what it likes: in `home/` the user's own state and caches, in a project `.codelia`. */
export function isStatePath(path: string): boolean {
  if (/^home\/\.(?:local|cache)(?:\/|$)/.test(path)) return true;
  return /(?:^|\/)\.codelia(?:\.\w+\.tmp)?(?:\/|$)/.test(path) && !/\/\.codelia\/(?:config\.|AGENTS)/.test(path);
}
