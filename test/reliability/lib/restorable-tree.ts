import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { isSameEntry, treeEntries } from "../../support/tree-entries.ts";

interface Kept {
  readonly stats: Stats;
  /** A file's bytes, or where a link leads. */
  readonly content: Buffer | string | undefined;
}

/** A directory as it was at one moment. */
export interface RestorableTree {
  /** What is not as it was: paths from the tree's root, in order. */
  changes(): string[];
  /** Makes all of it as it was, but for the inodes of what had been removed or replaced. */
  restore(): void;
  /** What a file held then; undefined where there was none. */
  contentOf(path: string): string | undefined;
}

export function keepTree(root: string): RestorableTree {
  const kept = new Map<string, Kept>();
  for (const [path, stats] of treeEntries(root)) kept.set(path, { stats, content: contentAt(join(root, path), stats) });

  function changes(): string[] {
    const present = treeEntries(root);
    const changed = [...present]
      .filter(([path, stats]) => !isSameEntry(kept.get(path)?.stats, stats))
      .map(([path]) => path);
    const gone = [...kept.keys()].filter((path) => !present.has(path));
    return [...changed, ...gone].toSorted();
  }

  return {
    changes,
    restore() {
      const changed = changes();
      for (const path of changed.toReversed()) {
        if (!kept.get(path)?.stats.isDirectory()) rmSync(join(root, path), { recursive: true, force: true });
      }
      for (const path of changed) {
        const then = kept.get(path);
        if (then !== undefined) putBack(join(root, path), then);
      }
      // What is made in a directory changes its time.
      for (const [path, { stats }] of kept) if (stats.isDirectory()) setTimes(join(root, path), stats);
      for (const [path, stats] of treeEntries(root)) {
        const then = kept.get(path);
        if (then !== undefined && changed.includes(path)) kept.set(path, { ...then, stats });
      }
    },
    contentOf: (path) => kept.get(path)?.content?.toString(),
  };
}

function putBack(path: string, { stats, content }: Kept): void {
  if (stats.isDirectory()) mkdirSync(path, { recursive: true });
  else if (stats.isSymbolicLink()) return symlinkSync(content as string, path);
  else writeFileSync(path, content as Buffer);
  chmodSync(path, stats.mode & 0o7777);
  setTimes(path, stats);
}

function setTimes(path: string, { atime, mtime }: Stats): void {
  utimesSync(path, atime, mtime);
}

function contentAt(path: string, stats: Stats): Kept["content"] {
  if (stats.isSymbolicLink()) return readlinkSync(path);
  return stats.isFile() ? readFileSync(path) : undefined;
}
