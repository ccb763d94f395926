import { join, parse } from "node:path";
import { placeOfRoot, type UserPlaces } from "../config/user-places.ts";
import { disk, identityOf } from "../lib/fs.ts";
import { shortHash } from "../lib/hash.ts";
import { isSamePlace } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";

/**
 * Where a ledger is: the directory that holds the ledger of a root, what the user's state directory remembers of it, and
 * the root whose ledger a session has claimed.
 */

/** The directory that holds a root's ledger. */
export interface StatePlace {
  readonly directory: string;
  /** In the project's `.codelia`, or with the user's own state because the project's can't be used. */
  readonly isInProject: boolean;
  readonly root: string;
  /** Where the user's state directory remembers the tree of the root's ledger. */
  readonly treeFile: string;
}

/** The file that says a `.codelia` was made for the ledger alone. */
export const STATE_ONLY = "state-only";

/** A file server that failed once may still work. */
const TRIES = 2;

/** A tree and a path. */
const MAX_TREE_BYTES = 16 * 1024;

/** A path and an id. */
const MAX_CLAIM_BYTES = 64 * 1024;

/** A root's `.codelia`, unless that is a link or can't be written, or the root is no project. */
export function findStatePlace(root: string, places: UserPlaces, home: string): StatePlace {
  const own = join(root, ".codelia");
  const isProject =
    root !== parse(root).root && !isSamePlace(root, home) && !isSamePlace(own, places.global) && isUsable(root, own);
  const elsewhere = placeOfRoot(places.state, root);
  const treeFile = join(elsewhere, "tree");
  return { directory: isProject ? own : elsewhere, isInProject: isProject, root, treeFile };
}

function isUsable(root: string, own: string): boolean {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const stats = disk.look(own);
      if (stats !== undefined && !stats.isDirectory()) return false;
      disk.assertWritable(stats === undefined ? root : own);
      return stats === undefined || disk.look(join(own, "session.json"))?.isSymbolicLink() !== true;
    } catch {
      // Try once more.
    }
  }
  return false;
}

export function ledgerPath(place: StatePlace): string {
  return join(place.directory, "session.json");
}

/** Which directory it is, by device and inode. Undefined if there is none. */
export function treeOf(place: Pick<StatePlace, "directory">): string | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const stats = disk.look(place.directory);
      return stats?.isDirectory() ? identityOf(stats) : undefined;
    } catch {
      // Try once more.
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

/** The root whose ledger a session is recorded in. Undefined if it has claimed none. */
export function claimedRoot(places: UserPlaces, id: string): string | undefined {
  for (const path of claimPaths(places, id)) {
    const claim = readClaim(path);
    // Two ids may have one hash.
    if (claim?.id === id) return claim.root;
  }
  return undefined;
}

/** The files that a session's claim may be in, best first. */
export function claimPaths({ state, runtime }: UserPlaces, id: string): readonly string[] {
  const name = shortHash(id);
  const path = join(state, "sessions", name);
  return runtime === undefined ? [path] : [path, join(runtime, "sessions", name)];
}

export function readClaim(path: string): { readonly id: string; readonly root: string } | undefined {
  try {
    // Mostly there is none, and a look costs less than a failed open.
    const read = disk.look(path) === undefined ? undefined : readText(path, MAX_CLAIM_BYTES);
    if (read?.kind !== "text") return undefined;
    const { id, root } = JSON.parse(read.text);
    return typeof id === "string" && typeof root === "string" ? { id, root } : undefined;
  } catch {
    return undefined;
  }
}
