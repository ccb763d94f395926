import { basename, dirname, join } from "node:path";
import { isInside } from "../lib/paths.ts";
import { isThere } from "../lib/is-there.ts";
import { findNamedPath } from "../skills/named-path.ts";

/**
 * The canonical path of what is to be checked. A link is judged by its own name where it leads nowhere, or out of the
 * root: that is what there is to say of it.
 *
 * @input  path: absolute; root: canonical, or undefined where it is not known yet
 * @output undefined where nothing has that name
 * @effect none
 * @error  none
 */
export function askedPlace(path: string, root: string | undefined): string | undefined {
  const real = findNamedPath(path, ".");
  if (real !== undefined && (root === undefined || isInside(root, real))) return real;
  const directory = findNamedPath(dirname(path), ".");
  return directory !== undefined && isThere(path) ? join(directory, basename(path)) : undefined;
}
