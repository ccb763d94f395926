import { dirname, join, parse, resolve, sep } from "node:path";
import { disk } from "./fs.ts";

/** The system's limit. */
export const MAX_LINKS = 40;

/**
 * Follows the symbolic links on the way to a path one by one, whether or not the end exists. Returns the path itself,
 * then its name after each link. Each directory is looked at once.
 */
export function linkFollower(): (path: string) => readonly string[] {
  const targets = new Map<string, string | undefined>();

  return (path) => {
    const names = [path];
    while (names.length <= MAX_LINKS) {
      const next = followFirst(names.at(-1) as string);
      if (next === undefined) break;
      names.push(next);
    }
    return names;
  };

  function followFirst(path: string): string | undefined {
    const { root } = parse(path);
    let place = root;
    for (const name of path.slice(root.length).split(sep)) {
      place = join(place, name);
      if (!targets.has(place)) targets.set(place, linkTarget(place));
      const target = targets.get(place);
      if (target !== undefined) return target + path.slice(place.length);
    }
    return undefined;
  }
}

/** Where a link leads; undefined if it isn't a link or can't be examined. */
function linkTarget(path: string): string | undefined {
  try {
    return disk.look(path)?.isSymbolicLink() === true ? resolve(dirname(path), disk.readLink(path)) : undefined;
  } catch {
    return undefined;
  }
}
