import { HELD } from "../lib/lock.ts";
import { isTaken } from "../lib/path-facts.ts";
import { removeQuietly } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { forgetContexts, restore } from "./changes.ts";
import { draftLedger, lockLedger, readForWriting } from "./commit.ts";
import { findSession } from "./contexts.ts";
import type { LedgerLocation } from "./location.ts";
import { archivePath, evidencePath, readArchived, viewIn } from "./read.ts";
import type { Session } from "./schema.ts";
import { tieLedger } from "./tree.ts";

export type Forgetting =
  | { readonly kind: "forgotten" }
  /** There was nothing to forget. */
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly reason: string };

const UNKNOWN: Forgetting = { kind: "unknown" };

/**
 * Forgets what a session, or one context of it, was told. Decides and records under the ledger's lock. A record from
 * before, written later by another process, does not undo it.
 *
 * @effect the ledger, its lock and archive; a file that isn't a ledger is set aside
 */
export function forgetSession(world: World, location: LedgerLocation, id: string, context?: string): Forgetting {
  const attempt = lockLedger(world, location, true, () => false);
  if (attempt.kind !== "locked") {
    const reason = attempt.kind === "failed" ? attempt.reason : attempt.kind;
    // If no lock can be created, nobody can record anything either.
    const isUnknown = reason !== HELD && contextsOf(viewIn(location, id).session, context).length === 0;
    return isUnknown ? UNKNOWN : { kind: "failed", reason };
  }
  const { lock } = attempt;
  const present = readForWriting(world, location);
  if (present.kind === "unusable") {
    lock.release();
    return { kind: "failed", reason: present.reason };
  }
  const { ledger } = present;
  const session = findSession(ledger, id) ?? readArchived(location, id, ledger.tree);
  const contexts = contextsOf(session, context);
  if (session === undefined || contexts.length === 0) {
    const result = session === undefined ? forgetUnread(location, id) : UNKNOWN;
    lock.release();
    return result;
  }
  const next = tieLedger(world, location, forgetContexts(restore(ledger, id, session), id, contexts), true);
  const sources = { tree: ledger.tree, late: present.late, archived: archivePath(location, id) };
  const publication = draftLedger(world, location, lock, next, sources).publish();
  if (publication === "published") {
    if (context === undefined) removeQuietly(evidencePath(location, id));
    return { kind: "forgotten" };
  }
  return { kind: "failed", reason: publication === "broken" ? "its lock was broken" : "it can't be written" };
}

/** The contexts to forget. */
function contextsOf(session: Session | undefined, context: string | undefined): readonly string[] {
  const names = Object.keys(session?.contexts ?? {});
  return context === undefined ? names : names.filter((name) => name === context);
}

/** An archive that can't be read now may be readable later, so it is removed unread. */
function forgetUnread(location: LedgerLocation, id: string): Forgetting {
  const archive = archivePath(location, id);
  if (!isTaken(archive)) return UNKNOWN;
  removeQuietly(archive);
  return isTaken(archive) ? { kind: "failed", reason: `'${archive}' can't be removed` } : { kind: "forgotten" };
}
