import { dirname, join } from "node:path";
import type { Session } from "../schema/ledger.ts";
import { disk } from "./disk.ts";
import { archivedAt, archivePath } from "./ledger-read.ts";
import { isLinked } from "./same-place.ts";
import type { StatePlace } from "./state-place.ts";

/**
 * Every session of a place that has left its ledger, as `readArchived()` would find it by its id.
 *
 * @effect none
 * @error  none: what can't be read is not known
 */
export function readArchives(place: StatePlace): [id: string, session: Session][] {
  const directory = dirname(archivePath(place, ""));
  const sessions: [string, Session][] = [];
  for (const name of namesOf(directory)) {
    const path = join(directory, name);
    const archived = archivedAt(place, path);
    if (archived !== undefined && archivePath(place, archived.id) === path) {
      sessions.push([archived.id, archived.session]);
    }
  }
  return sessions;
}

function namesOf(directory: string): string[] {
  if (isLinked(directory)) return [];
  try {
    const entries = disk.look(directory) === undefined ? [] : disk.list(directory);
    return entries.map(({ name }) => name).toSorted();
  } catch {
    return [];
  }
}
