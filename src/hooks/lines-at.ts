import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";

/**
 * How many lines a file has.
 *
 * @input, @output, @effect, @error as `textAt`
 */
export function linesAt(path: string, limit: number): number | undefined {
  const text = textAt(path, limit);
  return text === undefined ? undefined : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/**
 * A file's text, wherever links lead.
 *
 * @input  limit: bytes; of a longer one nothing is said
 * @output undefined for what is no such file
 * @effect reads
 * @error  none
 */
export function textAt(path: string, limit: number): string | undefined {
  try {
    const read = readText(disk.realPath(path), limit);
    return read.kind === "text" ? read.text : undefined;
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
