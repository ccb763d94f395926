import { dirname, join } from "node:path";
import { disk } from "./disk.ts";

/** The files of the names in a directory and in those above it. */
export function filesUpwards(start: string, names: readonly string[]): string[] {
  const found: string[] = [];
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) found.push(join(directory, name));
    if (names.length === 0 || dirname(directory) === directory) return found;
  }
}

/**
 * The directories, from one upwards, in which anything of one of the names stands.
 *
 * @effect none
 * @error  none
 */
export function markedDirectories(start: string, names: readonly string[]): Set<string> {
  return new Set(filesUpwards(start, names).filter(isThere).map(dirname));
}

function isThere(path: string): boolean {
  try {
    return disk.lookThrough(path) !== undefined;
  } catch {
    return false;
  }
}
