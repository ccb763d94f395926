import { join, parse } from "node:path";
import { placeOfRoot, type UserPlaces } from "../core/user-places.ts";
import { disk, identityOf } from "./disk.ts";
import { isSamePlace } from "./same-place.ts";

/** A file server that stumbled once is not to be taken for a place that can't be used. */
const TRIES = 2;

/** The directory that holds a root's ledger. */
export interface StatePlace {
  readonly directory: string;
  /** In the project's `.codelia`, or with the user's own state because the project's can't be used. */
  readonly isInProject: boolean;
  readonly root: string;
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
  return { directory: isProject ? own : placeOfRoot(places.state, root), isInProject: isProject, root };
}

export function ledgerPath(place: StatePlace): string {
  return join(place.directory, "session.json");
}

/** Which directory a ledger belongs to: a ledger that came with a clone names another. Undefined without one. */
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
