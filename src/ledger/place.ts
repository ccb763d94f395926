import { join, parse } from "node:path";
import { DEFAULT_MARKERS } from "../config/settings.ts";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import { disk, identityOf } from "../lib/fs.ts";
import { isSamePlace } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";

/** A file server that stumbled once is not to be taken for a place that can't be used. */
const TRIES = 2;

/** A path and a tree. */
const MAX_TREE_BYTES = 16 * 1024;

/** The directory that holds a root's ledger. */
export interface StatePlace {
  readonly directory: string;
  /** In the project's `.codelia`, or with the user's own state because the project's can't be used. */
  readonly isInProject: boolean;
  readonly root: string;
  /** Where the user's state directory remembers the tree of the root's ledger. */
  readonly treeFile: string;
}

/**
 * Where a root's state belongs: its `.codelia`, unless that is a link, can't be written, or the root is a place
 * that is no project.
 *
 * @effect none
 * @error  none
 */
export function findStatePlace(root: string, places: UserPlaces, home: string): StatePlace {
  const own = join(root, ".codelia");
  const isProject =
    root !== parse(root).root && !isSamePlace(root, home) && !isSamePlace(own, places.global) && isUsable(root, own);
  const elsewhere = placeOfRoot(places.state, root);
  const treeFile = join(elsewhere, "tree");
  return { directory: isProject ? own : elsewhere, isInProject: isProject, root, treeFile };
}

export function ledgerPath(place: StatePlace): string {
  return join(place.directory, "session.json");
}

/** Which directory it is, by device and inode. Undefined without one. */
export function treeOf(place: Pick<StatePlace, "directory">): string | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const stats = disk.look(place.directory);
      return stats?.isDirectory() ? identityOf(stats) : undefined;
    } catch {
      // Once more, or nobody can say.
    }
  }
  return undefined;
}

/** Without the device, whose number differs between a host and its containers. */
export function inodeOf(place: Pick<StatePlace, "directory">): string | undefined {
  const tree = treeOf(place);
  return tree?.slice(tree.indexOf(":") + 1);
}

/**
 * The tree of a root's ledger, as the user's state directory remembers it. Undefined if none is remembered: then a ledger
 * counts in the directory it was made in.
 */
export function rememberedTree({ treeFile, root }: StatePlace): string | undefined {
  const read = readText(treeFile, MAX_TREE_BYTES);
  if (read.kind !== "text") return undefined;
  const end = read.text.indexOf("\n");
  // Two roots may have one hash.
  return end > 0 && read.text.slice(end + 1) === `${root}\n` ? read.text.slice(0, end) : undefined;
}

function isUsable(root: string, own: string): boolean {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const stats = disk.look(own);
      if (stats !== undefined && !stats.isDirectory()) return false;
      disk.assertWritable(stats === undefined ? root : own);
      return stats === undefined || disk.look(join(own, "session.json"))?.isSymbolicLink() !== true;
    } catch {
      // Once more, or it can't be used.
    }
  }
  return false;
}

/** The file that says a `.codelia` was made for the ledger alone. */
export const STATE_ONLY = "state-only";

/**
 * Whether `.codelia` must be marked `state-only`, lest creating it changed the root that later calls find: unless
 * another marker makes this directory a root, for calls with our markers and for those with the default ones.
 */
export function needsStateOnlyMark(present: readonly string[], markers: readonly string[]): boolean {
  return !present.some(
    (marker) => marker !== ".codelia" && DEFAULT_MARKERS.includes(marker) && markers.includes(marker),
  );
}
