import { isAbsolute, join } from "node:path";
import { isInside } from "../../lib/paths.ts";
import { disk } from "../../lib/fs.ts";

/**
 * The words of a command as they are run: one that names a file of the definition is that file, wherever the run works.
 *
 * @input  directory: the definition's, or of its trusted copy, links resolved
 * @effect none: looks
 * @error  none
 */
export function commandWords(directory: string, words: readonly string[]): string[] {
  return words.map((word) => (isFileIn(directory, word) ? join(directory, word) : word));
}

function isFileIn(directory: string, word: string): boolean {
  if (word === "" || isAbsolute(word) || word.includes("\0")) return false;
  const path = join(directory, word);
  try {
    return isInside(directory, path) && disk.look(path)?.isFile() === true;
  } catch {
    return false;
  }
}
