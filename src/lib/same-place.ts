import { dirname } from "node:path";
import { disk, identityOf } from "./fs.ts";

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
