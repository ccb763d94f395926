import type { BigIntStats, Dirent, Stats } from "node:fs";
import { dirname } from "node:path";
import { disk, identityOf } from "./fs.ts";
import { childOf, isInside } from "./paths.ts";

/**
 * Facts about paths, for callers that treat "does not exist" and "can't be examined" alike. Nothing here throws. A
 * caller that must tell the two apart uses `disk`.
 */
function quietly<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** The target of a path, links followed. */
export function statOf(path: string): Stats | undefined {
  return quietly(() => disk.lookThrough(path));
}

/** The path itself, which may be a link. */
export function lstatOf(path: string): Stats | undefined {
  return quietly(() => disk.look(path));
}

/** A path with its links resolved. */
export function realPathOf(path: string): string | undefined {
  return quietly(() => disk.realPath(path));
}

/** The entries of a directory; empty if it can't be listed. */
export function entriesOf(directory: string): readonly Dirent[] {
  return quietly(() => disk.list(directory)) ?? [];
}

export function namesIn(directory: string): readonly string[] {
  return entriesOf(directory).map(({ name }) => name);
}

/** Those of the names that exist in a directory, links followed. */
export function namesThere(directory: string, names: readonly string[]): string[] {
  const there: string[] = [];
  for (const name of names) if (statOf(childOf(directory, name)) !== undefined) there.push(name);
  return there;
}

/** Whether a path leads to a directory. Asked twice, in case a file server failed once. */
export function isDirectory(path: string): boolean {
  const isOne = () => disk.lookThrough(path)?.isDirectory() === true;
  return quietly(isOne) ?? quietly(isOne) ?? false;
}

/** Whether a path leads to a regular file. */
export function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

/** Whether a path is a regular file, not a link to one. */
export function isRegularFile(path: string): boolean {
  return lstatOf(path)?.isFile() === true;
}

/** Whether a path exists; a link does, wherever it leads. */
export function isThere(path: string): boolean {
  return lstatOf(path) !== undefined;
}

/** Whether a path exists, or may exist because it can't be examined. */
export function isTaken(path: string): boolean {
  try {
    return disk.look(path) !== undefined;
  } catch {
    return true;
  }
}

/** Whether a path is a link, or may be one because it can't be examined. */
export function isLinked(path: string): boolean {
  try {
    return disk.look(path)?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}

/** A path with its links resolved, and what it is. */
export function realEntry(path: string): { readonly path: string; readonly isDirectory: boolean } | undefined {
  const real = realPathOf(path);
  return real === undefined ? undefined : { path: real, isDirectory: lstatOf(real)?.isDirectory() === true };
}

/** The identity of a path's target, under any name. */
export function fileIdentity(path: string): string | undefined {
  const stats = statOf(path);
  return stats && quietly(() => identityAt(stats, () => disk.lookThroughExactly(path)));
}

/** What a directory is, whatever it is called. */
export function directoryIdentity(path: string, stats: Stats): string {
  return identityAt(stats, () => disk.lookExactly(path));
}

/** Where inode numbers are too large for a double, they are asked for again. */
function identityAt(stats: Stats, look: () => BigIntStats): string {
  if (Number.isSafeInteger(stats.ino)) return identityOf(stats);
  const { dev, ino } = look();
  return `${dev}:${ino}`;
}

/** Whether two paths lead to the same file or directory. False if one leads nowhere. */
export function isSameFile(left: string, right: string): boolean {
  if (left === right) return true;
  const identity = fileIdentity(right);
  return identity !== undefined && identity === fileIdentity(left);
}

/** The name under which `path` or a directory above it is `place`, or undefined. */
export function ancestorThatIs(path: string, place: string): string | undefined {
  const wanted = fileIdentity(place);
  if (wanted === undefined) return undefined;
  for (let candidate = path; ; candidate = dirname(candidate)) {
    if (fileIdentity(candidate) === wanted) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}

/**
 * Whether a path is inside a directory when every link is followed; for a path that doesn't exist, the part that does.
 *
 * @error  file system errors, unlike everything else here: this function guards writes
 */
export function isReallyInside(directory: string, path: string): boolean {
  let present = path;
  while (disk.look(present) === undefined && dirname(present) !== present) present = dirname(present);
  // A dangling link is refused when it is read.
  if (disk.lookThrough(present) === undefined) return true;
  return isInside(disk.realPath(directory), disk.realPath(present));
}
