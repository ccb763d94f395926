import { dirname, join, parse, resolve, sep } from "node:path";
import { disk } from "../lib/fs.ts";

/** As many as the system follows. */
export const MAX_LINKS = 40;

/**
 * Answers what a path is called on its way through symbolic links: by itself, then with one after the other followed,
 * whether anything is there or not. Each directory is looked at once.
 *
 * @effect none; nothing is opened
 * @error  none: what can't be looked at is no link
 */
export function linkFollower(): (path: string) => readonly string[] {
  const targets = new Map<string, string | undefined>();

  function targetOf(path: string): string | undefined {
    if (!targets.has(path)) targets.set(path, linkTargetOf(path));
    return targets.get(path);
  }

  /** The path with the first link on its way followed. */
  function follow(path: string): string | undefined {
    const { root } = parse(path);
    let place = root;
    for (const name of path.slice(root.length).split(sep)) {
      place = join(place, name);
      const target = targetOf(place);
      if (target !== undefined) return target + path.slice(place.length);
    }
    return undefined;
  }

  return (path) => {
    const names = [path];
    while (names.length <= MAX_LINKS) {
      const next = follow(names.at(-1) as string);
      if (next === undefined) break;
      names.push(next);
    }
    return names;
  };
}

function linkTargetOf(path: string): string | undefined {
  try {
    if (disk.look(path)?.isSymbolicLink() !== true) return undefined;
    return resolve(dirname(path), disk.readLink(path));
  } catch {
    return undefined;
  }
}
