import { dirname, join } from "node:path";
import type { Session } from "./schema.ts";
import { archivedAt, archivePath } from "./ledger-read.ts";
import { namesIn } from "../lib/names-in.ts";
import { isLinked } from "../lib/same-place.ts";
import type { StatePlace } from "./state-place.ts";

/**
 * Every session of a place that has left its ledger, as `readArchived()` would find it by its id.
 *
 * @input  tree: of the ledger
 * @effect none
 * @error  none: what can't be read is not known
 */
export function readArchives(place: StatePlace, tree: string): [id: string, session: Session][] {
  const directory = dirname(archivePath(place, ""));
  const sessions: [string, Session][] = [];
  for (const name of isLinked(directory) ? [] : namesIn(directory).toSorted()) {
    const path = join(directory, name);
    const archived = archivedAt(place, path, tree);
    if (archived !== undefined && archivePath(place, archived.id) === path) {
      sessions.push([archived.id, archived.session]);
    }
  }
  return sessions;
}
