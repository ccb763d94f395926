import { findContext, findSession, type ContextKey } from "./ledger.ts";
import { additionsTo } from "./ledger-additions.ts";
import { restore } from "./ledger-prune.ts";
import type { Ledger, Session } from "./schema.ts";
import type { World } from "../world.ts";
import { addLate } from "./change-late-records.ts";
import { readLate } from "./late-read.ts";
import { forgetLedger, ledgerIn, warnUnrecorded } from "./ledger-commit.ts";
import { readArchived, readLedgerSurely } from "./ledger-read.ts";
import { HELD } from "../lib/lock.ts";
import type { StatePlace } from "./state-place.ts";
import { printUnrecorded, say, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Says what can't wait for the ledger's lock any longer, unless it was said late before, and leaves the record of it
 * for whoever holds the lock next.
 *
 * @output whether anything was printed
 * @effect prints; as `recordLate`. What blocks is not said: it would have to be recorded first
 * @error  none
 */
export function tellLate(world: World, workspace: Workspace, place: StatePlace, decide: Decide): boolean {
  const { session } = knownNow(place, workspace.key.session);
  const telling = decide(session);
  if (telling?.record === undefined) return printUnrecorded(world, telling);
  if (telling.unblocking !== undefined) {
    warnUnrecorded(world, place, HELD);
    return printUnrecorded(world, telling);
  }
  if (!say(world, telling)) return false;
  recordLate(world, workspace, place, session, telling);
  return telling.text !== "";
}

/**
 * @input  decidedOn: what was known of the session when it was decided what to say
 * @effect a line beside the ledger; or a warning. A beginning that can't be recorded takes the ledger away
 * @error  none
 */
export function recordLate(
  world: World,
  workspace: Workspace,
  place: StatePlace,
  decidedOn: Session | undefined,
  telling: Telling,
): void {
  const { key } = workspace;
  const known = knownNow(place, key.session);
  const [then, now] = [epochIn(decidedOn, key), epochIn(known.session, key)];
  // Begun anew since, the context has forgotten what was said here.
  const line = then === now ? lineOf(known, telling.record?.(known.ledger), key.session) : undefined;
  if (line !== undefined && addLate(place, line)) {
    world.trace("recorded-late", { beside: place.directory });
    return;
  }
  warnUnrecorded(world, place, HELD);
  if (telling.isBeginning && then >= now) forgetLedger(world, place);
}

interface Known {
  /** As whoever holds the lock next would find it, with the session from its archive. */
  readonly ledger: Ledger;
  readonly session: Session | undefined;
  readonly isRestored: boolean;
}

function knownNow(place: StatePlace, id: string): Known {
  const late = readLate(place);
  const ledger = ledgerIn(place, readLedgerSurely(place, late), late);
  const session = findSession(ledger, id);
  if (session !== undefined) return { ledger, session, isRestored: false };
  const archived = readArchived(place, id, ledger.tree);
  if (archived === undefined) return { ledger, session, isRestored: false };
  return { ledger: restore(ledger, id, archived), session: archived, isRestored: true };
}

function epochIn(session: Session | undefined, key: ContextKey): number {
  return findContext(session, key.context).epoch;
}

/** Undefined where no line can say what has changed. */
function lineOf({ session: before, isRestored }: Known, ledger: Ledger | undefined, id: string): Ledger | undefined {
  const session = ledger && findSession(ledger, id);
  // Once it is in the ledger, its archive is not read again.
  const added = session && additionsTo(isRestored ? undefined : before, session);
  return ledger && added && { ...ledger, sessions: { [id]: added } };
}
