import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";

/**
 * How long a file is.
 *
 * @input  limit: bytes; of a longer one nothing is said
 * @output undefined for what is no such file
 * @effect reads
 * @error  none
 */
export function linesAt(path: string, limit: number): { lines: number; sizeBytes: number } | undefined {
  try {
    const read = readText(disk.realPath(path), limit);
    if (read.kind !== "text") return undefined;
    const { text } = read;
    return {
      lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
      sizeBytes: new TextEncoder().encode(text).length,
    };
  } catch {
    return undefined;
  }
}
