import { basename, dirname, join, resolve } from "node:path";
import { IMPORTING_NAME, type Candidate, type Rung } from "./chain.ts";
import { readMemory } from "./memory-text.ts";

/**
 * Files of the one name whose text may import others with `@path`. If the config adds that name, codelia reads what the
 * client reads to which the name belongs: a second place beside it, and the imports, each right after the file that
 * imports it.
 */

const SECOND_PLACE = join(".claude", IMPORTING_NAME);

/** How deep imports may be nested. */
export const MAX_IMPORT_DEPTH = 4;
/** The most files that may be imported on the way to a path, and the most names and text that are looked at for them. */
const MAX_IMPORTS = 100;
const MAX_NAMES = 1000;
const MAX_BYTES = 1024 * 1024;

/** How files are looked up: on the disk, or among facts. */
export interface Lookup {
  /** The file at a path, links followed; undefined if it is not a regular file. */
  find(path: string): Candidate | undefined;
  /** The first bytes of a file's text, up to a limit. */
  read(realPath: string, bytes: number): Uint8Array;
}

/** Adds the second place to directories, and imports to their files. @param names in order of priority */
export function withImports(rungs: readonly Rung[], names: readonly string[], lookup: Lookup): Rung[] {
  const orderOf = (path: string) => names.indexOf(basename(path));
  const order = names.indexOf(IMPORTING_NAME);
  const read = importReader(lookup);
  return rungs.map(({ directory, main, additional }) => {
    const second = lookup.find(join(directory, SECOND_PLACE));
    const places = main.map((candidate) => (orderOf(candidate.path) === order ? read(candidate, 0) : candidate));
    if (second === undefined) return { directory, main: places, additional };
    const beside = places.find(({ path }) => orderOf(path) === order)?.path;
    const at = places.findLastIndex(({ path }) => orderOf(path) <= order) + 1;
    const placed = { ...read(second, 0), ...(beside === undefined ? {} : { beside }) };
    return { directory, main: places.toSpliced(at, 0, placed), additional };
  });
}

function importReader({ find, read }: Lookup): (candidate: Candidate, depth: number) => Candidate {
  let [files, names, bytes] = [0, 0, 0];

  function importsOf({ path, found }: Candidate, depth: number): Candidate[] {
    if (found.kind !== "file") return [];
    const text = read(found.realPath, MAX_BYTES - bytes);
    bytes += text.length;
    const imported: Candidate[] = [];
    // Relative to the file, not to a link to it.
    const base = basename(found.realPath) === basename(path) ? dirname(path) : dirname(found.realPath);
    for (const name of readMemory(new TextDecoder().decode(text)).imports) {
      if (files >= MAX_IMPORTS || ++names > MAX_NAMES) break;
      const target = resolve(base, name);
      const candidate = name.startsWith("~") || isPrivate(target) ? undefined : find(target);
      if (candidate === undefined || (candidate.found.kind === "file" && isPrivate(candidate.found.realPath))) continue;
      files++;
      imported.push(withOwn({ ...candidate, importedBy: path }, depth + 1));
    }
    return imported;
  }

  function withOwn(candidate: Candidate, depth: number): Candidate {
    return depth >= MAX_IMPORT_DEPTH ? candidate : { ...candidate, imports: () => importsOf(candidate, depth) };
  }

  return withOwn;
}

/**
 * Files that a clone must not be able to read out, because they are the user's: hidden files, environments, a
 * repository's own.
 */
function isPrivate(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return /^\.|\.env$/.test(parts.at(-1) ?? "") || parts.some((part) => /^\.(?:git|hg|jj|svn)$/.test(part));
}
