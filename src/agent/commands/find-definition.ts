import { join, resolve } from "node:path";
import { disk } from "../../io/disk.ts";
import type { Workspace } from "../../io/workspace.ts";

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

function isDirectory(path: string): boolean {
  try {
    return disk.lookThrough(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}
