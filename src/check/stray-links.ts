import { join } from "node:path";
import type { StrayLink } from "./check-skill.ts";
import { isInside } from "../lib/paths.ts";
import { disk } from "../lib/fs.ts";
import { SKILL_FILE } from "../skills/columns.ts";

const MAX_DEPTH = 16;
const MAX_ENTRIES = 20_000;

export interface StrayLinks {
  readonly strayLinks: readonly StrayLink[];
  /** A limit bit: there may be more. */
  readonly moreLinks: boolean;
}

/**
 * The symbolic links in a skill's directory that lead out of it, or nowhere. None is followed. A skill inside a skill
 * answers for its own.
 *
 * @input  directory: canonical; ignored: names of directories that are not entered
 * @effect reads directories, none but `directory` and those in it
 * @error  none: what can't be looked at has no links
 */
export function findStrayLinks(directory: string, ignored: ReadonlySet<string>): StrayLinks {
  const strayLinks: StrayLink[] = [];
  let entriesLeft = MAX_ENTRIES;
  let moreLinks = false;

  function enter(path: string, depth: number): void {
    const entries = entriesOf(path);
    if (depth > 0 && entries.some(({ name }) => name === SKILL_FILE)) return;
    for (const entry of entries) {
      if (ignored.has(entry.name)) continue;
      if (entriesLeft-- <= 0 || depth > MAX_DEPTH) {
        moreLinks = true;
        return;
      }
      const child = join(path, entry.name);
      if (entry.isDirectory()) enter(child, depth + 1);
      else if (entry.isSymbolicLink()) strayLinks.push(...judge(directory, child));
    }
  }

  enter(directory, 0);
  return { strayLinks, moreLinks };
}

function entriesOf(path: string): ReturnType<typeof disk.list> {
  try {
    return disk.list(path);
  } catch {
    return [];
  }
}

function judge(directory: string, path: string): StrayLink[] {
  try {
    return isInside(directory, disk.realPath(path)) ? [] : [{ path, leadsTo: "outside" }];
  } catch {
    return [{ path, leadsTo: "nothing" }];
  }
}
