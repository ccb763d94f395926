import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Everything below a directory by its path from there. Links are not followed; what can't be examined is left out. */
export function treeEntries(root: string, below = "", found = new Map<string, Stats>()): Map<string, Stats> {
  for (const name of namesIn(join(root, below))) {
    const path = join(below, name);
    // The path may be too long, or the name may not be UTF-8.
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

/** A directory's time is ignored: it changes whenever something in it is added or removed. */
export function isSameEntry(then: Stats | undefined, now: Stats): boolean {
  if (then === undefined || then.ino !== now.ino || then.mode !== now.mode) return false;
  return now.isDirectory() || (then.size === now.size && then.mtimeMs === now.mtimeMs && then.ctimeMs === now.ctimeMs);
}

/** Where the program may write: state and caches in `home/`, and `.codelia` in a project. */
export function isStatePath(path: string): boolean {
  if (/^home\/\.(?:local|cache)(?:\/|$)/.test(path)) return true;
  return /(?:^|\/)\.codelia(?:\.\w+\.tmp)?(?:\/|$)/.test(path) && !/\/\.codelia\/(?:config\.|AGENTS)/.test(path);
}
