import type { Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { disk, identityOf } from "./fs.ts";

export function isDirectory(path: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return disk.lookThrough(path)?.isDirectory() === true;
    } catch {
      // Once more: a file server may have stumbled.
    }
  }
  return false;
}

/** Whether two paths lead to the same file or directory, whatever they are called. False where one leads nowhere. */
export function isSamePlace(left: string, right: string): boolean {
  if (left === right) return true;
  const identity = placeIdentity(right);
  return identity !== undefined && identity === placeIdentity(left);
}

/** With its links resolved; undefined where nothing is, or nothing that can be looked at. */
export function realPathOf(path: string): string | undefined {
  try {
    return disk.realPath(path);
  } catch {
    return undefined;
  }
}

/** The name under which `path` or a directory above it is `place`, or undefined. */
export function ancestorThatIs(path: string, place: string): string | undefined {
  const wanted = placeIdentity(place);
  if (wanted === undefined) return undefined;
  for (let candidate = path; ; candidate = dirname(candidate)) {
    if (placeIdentity(candidate) === wanted) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}

/** Whether what stands at a path is a link, or can't be looked at. Nothing there is no link. */
export function isLinked(path: string): boolean {
  try {
    return disk.look(path)?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}

/** Whether something stands at a path, or may: it can't be looked at. */
export function isTaken(path: string): boolean {
  try {
    return disk.look(path) !== undefined;
  } catch {
    return true;
  }
}

/** What a path leads to, whatever it is called; undefined where it leads nowhere. */
export function placeIdentity(path: string): string | undefined {
  try {
    const stats = disk.lookThrough(path);
    return stats && identityOf(stats);
  } catch {
    return undefined;
  }
}

/**
 * Whether anything has a path; a link is something, wherever it leads.
 *
 * @effect none
 * @error  none: a name that is too long, or a file where a directory should be, is nothing
 */
export function isThere(path: string): boolean {
  try {
    return disk.look(path) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether a file itself has a path, and no link to one.
 *
 * @effect none
 * @error  none
 */
export function isRegularFile(path: string): boolean {
  try {
    return disk.look(path)?.isFile() === true;
  } catch {
    return false;
  }
}

/** What is in a directory; nothing where it can't be listed. */
export function entriesOf(directory: string): readonly Dirent[] {
  try {
    return disk.list(directory);
  } catch {
    return [];
  }
}

/** The names in a directory; none where it can't be listed. */
export function namesIn(directory: string): readonly string[] {
  return entriesOf(directory).map(({ name }) => name);
}

/**
 * A path with its links resolved, and what stands there.
 *
 * @output undefined where nothing is, or nothing that can be looked at
 * @effect none
 * @error  none
 */
export function realPlace(path: string): { readonly path: string; readonly isDirectory: boolean } | undefined {
  try {
    const real = disk.realPath(path);
    return { path: real, isDirectory: disk.look(real)?.isDirectory() === true };
  } catch {
    return undefined;
  }
}

/** Those of the names that stand directly in a directory. */
export function namesThere(directory: string, names: readonly string[]): string[] {
  return names.filter((name) => leadsSomewhere(join(directory, name)));
}

function leadsSomewhere(path: string): boolean {
  try {
    return disk.lookThrough(path) !== undefined;
  } catch {
    return false;
  }
}
