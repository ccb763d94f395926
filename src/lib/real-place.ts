import { disk } from "./fs.ts";

/**
 * A path with its links resolved, and what stands there.
 *
 * @output undefined where nothing is, or nothing that can be looked at
 * @effect none
 * @error  none
 */
export function realPlace(path: string): { readonly path: string; readonly isDirectory: boolean } | undefined {
  try {
    const real = disk.realPath(path);
    return { path: real, isDirectory: disk.look(real)?.isDirectory() === true };
  } catch {
    return undefined;
  }
}
