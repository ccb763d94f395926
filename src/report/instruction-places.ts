import { basename, dirname, join } from "node:path";
import { disk } from "../lib/fs.ts";

const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 64;

export interface InstructionPlaces {
  /** In the order of their paths; the one where the search began is always among them. */
  readonly directories: readonly string[];
  /** A limit ended the search. */
  readonly truncated: boolean;
}

/**
 * The directories of a project in which a session would read something of its own.
 *
 * @input  names: of instruction files, some in a directory of their own below; ignored: names of directories that are not
 *         entered
 * @effect reads directories; follows no links
 * @error  none: a directory that can't be listed is passed over
 */
export function instructionPlaces(
  root: string,
  names: readonly string[],
  ignored: readonly string[],
): InstructionPlaces {
  const own = new Set(names.map((name) => basename(name)));
  const inner = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  const closed = new Set([...ignored, ".git"]);
  const found = new Set([root]);
  let left = MAX_ENTRIES;

  function walk(directory: string, depth: number): void {
    if (left <= 0 || depth > MAX_DEPTH) return;
    const entries = listQuietly(directory);
    left -= entries.length;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!closed.has(entry.name)) walk(join(directory, entry.name), depth + 1);
      } else if (own.has(entry.name)) found.add(inner.has(basename(directory)) ? dirname(directory) : directory);
    }
  }

  walk(root, 0);
  return { directories: [...found].toSorted(), truncated: left <= 0 };
}

function listQuietly(directory: string) {
  try {
    return disk.list(directory);
  } catch {
    return [];
  }
}
