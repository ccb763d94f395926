import { join, resolve } from "node:path";
import type { Workspace } from "../../workspace.ts";
import { isDirectory } from "../../lib/is-directory.ts";

/** Where a project keeps its definitions, one directory each. */
const HOME_OF_DEFINITIONS = join(".agents", "agents");

/**
 * The directory that a word of the command line means: that of the path, or the project's definition of that name.
 *
 * @effect none: looks
 * @error  none
 */
export function definitionDirectory({ cwd, root }: Workspace, named: string): string {
  const path = resolve(cwd, named);
  const isName = !/[/\\]/.test(named) && !isDirectory(path);
  return isName ? join(root.directory, HOME_OF_DEFINITIONS, named) : path;
}
