import type { Dirent, Stats } from "node:fs";
import { dirname, join } from "node:path";
import { disk, identityOf } from "./fs.ts";
import { isInside } from "./paths.ts";

/**
 * Questions about what stands at a path, for callers to whom "nothing is there" and "it can't be looked at" are the
 * same. None of them throws. Whoever has to tell the two apart asks `disk`.
 */
function quietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** What a path leads to, links followed. */
export function statOf(path: string): Stats | undefined {
  return quietly(() => disk.lookThrough(path));
}

/** What stands at a path itself, which may be a link. */
export function lstatOf(path: string): Stats | undefined {
  return quietly(() => disk.look(path));
}

/** A path with its links resolved. */
export function realPathOf(path: string): string | undefined {
  return quietly(() => disk.realPath(path));
}

/** What is in a directory; nothing where it can't be listed. */
export function entriesOf(directory: string): readonly Dirent[] {
  return quietly(() => disk.list(directory)) ?? [];
}

export function namesIn(directory: string): readonly string[] {
  return entriesOf(directory).map(({ name }) => name);
}

/** Those of the names that lead somewhere in a directory. */
export function namesThere(directory: string, names: readonly string[]): string[] {
  return names.filter((name) => statOf(join(directory, name)) !== undefined);
}

/** Whether a path leads to a directory. It is asked twice: a file server may have stumbled. */
export function isDirectory(path: string): boolean {
  const isOne = () => disk.lookThrough(path)?.isDirectory() === true;
  return quietly(isOne) ?? quietly(isOne) ?? false;
}

/** Whether a path leads to a regular file. */
export function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

/** Whether a regular file itself stands at a path, not a link to one. */
export function isRegularFile(path: string): boolean {
  return lstatOf(path)?.isFile() === true;
}

/** Whether anything stands at a path; a link does, wherever it leads. */
export function isThere(path: string): boolean {
  return lstatOf(path) !== undefined;
}

/** Whether something stands at a path, or may: it can't be looked at. */
export function isTaken(path: string): boolean {
  try {
    return disk.look(path) !== undefined;
  } catch {
    return true;
  }
}

/** Whether a link stands at a path, or may: it can't be looked at. */
export function isLinked(path: string): boolean {
  try {
    return disk.look(path)?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}

/** A path with its links resolved, and what stands there. */
export function realPlace(path: string): { readonly path: string; readonly isDirectory: boolean } | undefined {
  const real = realPathOf(path);
  return real === undefined ? undefined : { path: real, isDirectory: lstatOf(real)?.isDirectory() === true };
}

/** What a path leads to, whatever it is called. */
export function placeIdentity(path: string): string | undefined {
  const stats = statOf(path);
  return stats && identityOf(stats);
}

/** Whether two paths lead to the same file or directory. False where one leads nowhere. */
export function isSamePlace(left: string, right: string): boolean {
  if (left === right) return true;
  const identity = placeIdentity(right);
  return identity !== undefined && identity === placeIdentity(left);
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

/**
 * Whether what a path names is inside a directory when every link is followed; of what is not there yet, the part
 * that is.
 *
 * @error  those of the file system, unlike all others here: this one guards what is written
 */
export function isReallyInside(directory: string, path: string): boolean {
  let present = path;
  while (disk.look(present) === undefined && dirname(present) !== present) present = dirname(present);
  // A link to nothing is refused by whoever reads it.
  if (disk.lookThrough(present) === undefined) return true;
  return isInside(disk.realPath(directory), disk.realPath(present));
}
