import { findStatePlace } from "./state-place.ts";
import { readLedger } from "./ledger-read.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The sessions of a root's ledger and the contexts of each, by name.
 *
 * @effect none
 * @error  none: a ledger that can't be used knows none
 */
export function sessionNames(workspace: Workspace, home: string): ReadonlyMap<string, readonly string[]> {
  const read = readLedger(findStatePlace(workspace.root.directory, workspace.places, home));
  const sessions = read.kind === "ledger" ? Object.entries(read.ledger.sessions) : [];
  const contexts = sessions.map(([id, session]): [string, string[]] => [id, Object.keys(session.contexts)]);
  return new Map(contexts.filter(([, names]) => names.length > 0));
}
