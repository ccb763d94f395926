import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";

/**
 * How many lines a file has.
 *
 * @input  limit: bytes; of a longer one nothing is said
 * @output undefined for what is no such file
 * @effect reads
 * @error  none
 */
export function linesAt(path: string, limit: number): number | undefined {
  try {
    const read = readText(disk.realPath(path), limit);
    if (read.kind !== "text") return undefined;
    return read.text.split("\n").length - (read.text.endsWith("\n") ? 1 : 0);
  } catch {
    return undefined;
  }
}

/**
 * How long a file is, without looking into it; 0 for none.
 *
 * @effect none
 * @error  none
 */
export function sizeAt(path: string): number {
  try {
    return disk.lookThrough(path)?.size ?? 0;
  } catch {
    return 0;
  }
}
