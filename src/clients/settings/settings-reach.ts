import { dirname, relative, sep } from "node:path";
import { disk } from "../../lib/fs.ts";

/**
 * Whether what a path names is inside a directory when every link is followed; of what is not there yet, the part
 * that is.
 *
 * @effect none
 * @error  those of the file system
 */
export function isInside(path: string, directory: string): boolean {
  let present = path;
  while (disk.look(present) === undefined && dirname(present) !== present) present = dirname(present);
  // A link to nothing is refused by whoever reads it.
  if (disk.lookThrough(present) === undefined) return true;
  const way = relative(disk.realPath(directory), disk.realPath(present));
  return way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
}
