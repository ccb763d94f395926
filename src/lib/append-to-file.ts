import { disk, errnoOf } from "./fs.ts";
import { closeQuietly } from "./read-file.ts";
import { writeAll, type Written } from "./write-file.ts";

/**
 * Adds to the end of a file, which is made where there is none.
 *
 * @effect the file
 * @error  none: what stands in the way is `failed`
 */
export function appendToFile(path: string, text: string): Written {
  let descriptor: number;
  try {
    descriptor = disk.openToAppend(path);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  const written = writeAll(descriptor, new TextEncoder().encode(text));
  closeQuietly(descriptor);
  return written;
}
