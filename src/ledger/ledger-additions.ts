import type { Context, Session } from "./schema.ts";
import { findContext } from "./ledger.ts";
import { mergeSessions } from "./ledger-merge.ts";

/**
 * The least that, merged with a session, makes its contexts those of `after`: it undoes nothing that others change
 * meanwhile. Undefined where merging can't do that, because something is gone or counts for less than before.
 */
export function additionsTo(before: Session | undefined, after: Session): Session | undefined {
  if (before === undefined) return after;
  const contexts = Object.entries(after.contexts)
    .filter(([name, context]) => !isSame(findContext(before, name), context))
    .map(([name, context]) => [name, additionsIn(findContext(before, name), context)]);
  const added: Session = { ...after, contexts: Object.fromEntries(contexts) };
  return isSame(contextsOf(mergeSessions(before, added)), contextsOf(after)) ? added : undefined;
}

function additionsIn(before: Context, after: Context): Context {
  if (before.epoch !== after.epoch) return after;
  const covered = new Set(before.coveredDirs);
  return {
    epoch: after.epoch,
    coveredDirs: after.coveredDirs.filter((directory) => !covered.has(directory)),
    loadedVersions: changedIn(before.loadedVersions, after.loadedVersions),
    loadedSkills: changedIn(before.loadedSkills, after.loadedSkills),
  };
}

function changedIn<Value>(before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value)));
}

/** In the order in which merging leaves them. */
function contextsOf(session: Session): Session["contexts"] {
  return mergeSessions(session, session).contexts;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
