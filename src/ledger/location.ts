import { dirname, join } from "node:path";
import { directoryOfRoot, type UserDirectories } from "../config/user-directories.ts";
import { disk } from "../lib/fs.ts";
import { shortHash } from "../lib/hash.ts";
import { directoryIdentity, isSameFile } from "../lib/path-facts.ts";
import { readText } from "../lib/read-file.ts";

/**
 * Where a ledger is: the directory of a root's ledger, what the user's state directory remembers of it, and the root
 * whose ledger a session has claimed.
 */

/** The directory that holds a root's ledger. */
export interface LedgerLocation {
  readonly directory: string;
  /** In the project's `.codelia`; otherwise in the user's own state, because the project's can't be used. */
  readonly isInProject: boolean;
  readonly root: string;
  /** Where the user's state directory remembers the tree of the root's ledger. */
  readonly treeFile: string;
}

/** The file that says a `.codelia` was created for the ledger alone. */
export const STATE_ONLY = "state-only";

/** A file server that failed once may work the next time. */
const TRIES = 2;

/** A tree and a path. */
const MAX_TREE_BYTES = 16 * 1024;

/** A path and an id. */
const MAX_CLAIM_BYTES = 64 * 1024;

/** A root's `.codelia`, unless that is a link, can't be written, or the root is no project. */
export function locateLedger(root: string, userDirectories: UserDirectories, home: string): LedgerLocation {
  const own = join(root, ".codelia");
  const isProject =
    root !== dirname(root) &&
    !isSameFile(root, home) &&
    !isSameFile(own, userDirectories.global) &&
    isUsable(root, own);
  const elsewhere = directoryOfRoot(userDirectories.state, root);
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

export function ledgerPath(location: LedgerLocation): string {
  return join(location.directory, "session.json");
}

/** Identifies the directory by device and inode. Undefined if there is none. */
export function treeOf(location: Pick<LedgerLocation, "directory">): string | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const stats = disk.look(location.directory);
      return stats?.isDirectory() ? directoryIdentity(location.directory, stats) : undefined;
    } catch {
      // Try once more.
    }
  }
  return undefined;
}

/** Without the device, whose number differs between a host and its containers. */
export function inodeOf(location: Pick<LedgerLocation, "directory">): string | undefined {
  const tree = treeOf(location);
  return tree?.slice(tree.indexOf(":") + 1);
}

/**
 * The tree of a root's ledger, as the user's state directory remembers it. Undefined if none is remembered; a ledger is
 * then valid in the directory in which it was created.
 */
export function rememberedTree({ treeFile, root }: LedgerLocation): string | undefined {
  const read = readText(treeFile, MAX_TREE_BYTES);
  if (read.kind !== "text") return undefined;
  const end = read.text.indexOf("\n");
  // Two roots may have the same hash.
  return end > 0 && read.text.slice(end + 1) === `${root}\n` ? read.text.slice(0, end) : undefined;
}

/** The root whose ledger records a session. Undefined if it has claimed none. */
export function claimedRoot(userDirectories: UserDirectories, id: string): string | undefined {
  for (const path of claimPaths(userDirectories, id)) {
    const claim = readClaim(path);
    // Two ids may have the same hash.
    if (claim?.id === id) return claim.root;
  }
  return undefined;
}

/** The files that may hold a session's claim, best first. */
export function claimPaths({ state, runtime }: UserDirectories, id: string): readonly string[] {
  const name = shortHash(id);
  const path = join(state, "sessions", name);
  return runtime === undefined ? [path] : [path, join(runtime, "sessions", name)];
}

export function readClaim(path: string): { readonly id: string; readonly root: string } | undefined {
  try {
    // Usually there is none, and lstat costs less than a failed open.
    const read = disk.look(path) === undefined ? undefined : readText(path, MAX_CLAIM_BYTES);
    if (read?.kind !== "text") return undefined;
    const { id, root } = JSON.parse(read.text);
    return typeof id === "string" && typeof root === "string" ? { id, root } : undefined;
  } catch {
    return undefined;
  }
}
