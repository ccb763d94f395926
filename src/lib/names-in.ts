import { disk } from "./fs.ts";

/**
 * @output the names in a directory; none where it can't be listed
 * @effect reads the directory
 * @error  none
 */
export function namesIn(directory: string): readonly string[] {
  try {
    return disk.list(directory).map(({ name }) => name);
  } catch {
    return [];
  }
}
