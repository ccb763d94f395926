import { dirname, join, resolve } from "node:path";
import { isInside } from "../core/paths.ts";
import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";
import { placeIdentity, realPathOf } from "./same-place.ts";

/** The files of the names in a directory and in those above it. */
export function filesUpwards(start: string, names: readonly string[]): string[] {
  const found: string[] = [];
  for (let directory = start; ; directory = dirname(directory)) {
    for (const name of names) found.push(join(directory, name));
    if (names.length === 0 || dirname(directory) === directory) return found;
  }
}

/**
 * The directories, from one upwards, in which anything of one of the names stands.
 *
 * @effect none
 * @error  none
 */
export function markedDirectories(start: string, names: readonly string[]): Set<string> {
  return new Set(filesUpwards(start, names).filter(isThere).map(dirname));
}

function isThere(path: string): boolean {
  try {
    return disk.lookThrough(path) !== undefined;
  } catch {
    return false;
  }
}

const MAX_IMPORT_DEPTH = 5;
const MAX_IMPORTS = 64;
const MAX_IMPORTING_BYTES = 1024 * 1024;

/**
 * A file and those that it imports, and they.
 *
 * @input  root: what lies elsewhere, links followed, is not looked into: it is none of the project's instruction files;
 *         importsIn: what a text imports, as it names them
 * @effect reads
 * @error  none: what is not there, or is no file, is left out
 */
export function withImports(
  path: string,
  root: string,
  home: string,
  importsIn: (text: string) => readonly string[],
): { readonly path: string; readonly identity: string }[] {
  const found = new Map<string, { path: string; identity: string }>();
  const boundary = realPathOf(root) ?? root;
  function visit(file: string, depth: number): void {
    const identity = placeIdentity(file);
    if (identity === undefined || found.has(identity) || found.size >= MAX_IMPORTS) return;
    if (depth > 0 && !isInside(boundary, realPathOf(file) ?? "/")) return;
    found.set(identity, { path: file, identity });
    if (depth >= MAX_IMPORT_DEPTH) return;
    for (const name of importsIn(textAt(file)).slice(0, MAX_IMPORTS)) {
      visit(name.startsWith("~/") ? join(home, name.slice(2)) : resolve(dirname(file), name), depth + 1);
    }
  }
  visit(path, 0);
  return [...found.values()];
}

function textAt(path: string): string {
  try {
    const read = readText(disk.realPath(path), MAX_IMPORTING_BYTES);
    return read.kind === "text" ? read.text : "";
  } catch {
    return "";
  }
}
