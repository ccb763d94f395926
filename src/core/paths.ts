import { basename, dirname, isAbsolute, relative, sep } from "node:path";

/**
 * Whether `child` is `parent` or below it, by path components: `/a/bc` is not inside `/a/b`, and a directory
 * named `..x` is an ordinary child. Both absolute and normalised.
 */
export function isInside(parent: string, child: string): boolean {
  const way = relative(parent, child);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

/** The directories from `root` down to `directory`, both included; empty when `directory` is not inside. */
export function ladder(root: string, directory: string): string[] {
  if (!isInside(root, directory)) return [];
  const rungs = [directory];
  for (let rung = directory; rung !== root;) {
    rung = dirname(rung);
    rungs.push(rung);
  }
  return rungs.toReversed();
}

/** The part of a ladder that counts: nothing at or below a directory with an ignored name. */
export function withoutIgnored(rungs: readonly string[], ignore: readonly string[]): string[] {
  const root = rungs[0] ?? "";
  const first = rungs.findIndex((rung) => rung !== root && ignore.includes(basename(rung)));
  return first < 0 ? [...rungs] : rungs.slice(0, first);
}
