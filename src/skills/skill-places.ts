import type { Dirent } from "node:fs";
import { join } from "node:path";
import { disk } from "../lib/fs.ts";

const MAX_DEPTH = 32;
const MAX_ENTRIES = 200_000;
/** What discovery looks for skills in. */
const AGENTS_DIRECTORY = ".agents";

export interface SkillPlaces {
  /** The directories that may hold skills, from the top down. */
  readonly places: readonly string[];
  /** A limit bit: there may be more. */
  readonly isCut: boolean;
}

/**
 * The directories below one, itself included, that discovery would look for skills in if they were the working
 * directory. It looks upwards from there; this is for whoever wants those of a whole repository.
 *
 * @input  directory: absolute; ignored: names of directories that are not entered
 * @effect reads directories; follows no link
 * @error  none: what can't be looked into holds no skill
 */
export function findSkillPlaces(directory: string, ignored: ReadonlySet<string>): SkillPlaces {
  const places: string[] = [];
  let level = [directory];
  let entriesLeft = MAX_ENTRIES;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { places, isCut: true };
    const next: string[] = [];
    for (const path of level) {
      const entries = entriesOf(path);
      entriesLeft -= entries.length;
      if (entriesLeft < 0) return { places, isCut: true };
      for (const entry of entries) {
        if (entry.name === AGENTS_DIRECTORY) places.push(path);
        else if (entry.isDirectory() && !ignored.has(entry.name)) next.push(join(path, entry.name));
      }
    }
    level = next;
  }
  return { places, isCut: false };
}

function entriesOf(path: string): Dirent[] {
  try {
    return disk.list(path);
  } catch {
    return [];
  }
}
