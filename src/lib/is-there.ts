import { disk } from "./fs.ts";

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
