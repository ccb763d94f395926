import { disk } from "./disk.ts";

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
