import { resolve } from "node:path";
import { disk } from "../lib/fs.ts";

/**
 * The canonical path of what a word on the command line names.
 *
 * @input  cwd: what a relative path starts from
 * @output undefined where nothing has that name
 * @effect none
 * @error  none
 */
export function findNamedPath(cwd: string, word: string): string | undefined {
  try {
    return disk.realPath(resolve(cwd, word));
  } catch {
    return undefined;
  }
}
