import { HELD, type Lock } from "../lib/lock.ts";
import { archiveSessions, sweepLeftovers } from "./archive.ts";
import { additionsTo, applyChange, isBeginning, prune, restore } from "./changes.ts";
import { settleRoot } from "./claim.ts";
import {
  draftLedger,
  forgetLedger,
  ledgerIn,
  lockLedger,
  readForWriting,
  warnUnrecorded,
  type Draft,
  type Publication,
} from "./commit.ts";
import { findContext, findSession, surroundingsOf, type ContextKey } from "./contexts.ts";
import { addLate, isNamedSince } from "./late.ts";
import { makeStatePlace } from "./make-place.ts";
import type { StatePlace } from "./place.ts";
import { archivePath, readArchived, readLate, readLedgerSurely, viewIn, type SessionView } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";
import type { Teller, Telling } from "./tell.ts";
import { tieLedger } from "./tree.ts";

/**
 * The second half of `tellOnce`: under the ledger's lock it decides again, prints, then records. A call that can't have
 * the lock in time prints all the same, and leaves its record beside the ledger.
 *
 * @input  view: what is known of the session before the lock is held; telling: what was decided on it; isAgain: the lock
 *         was held before, and others had recorded meanwhile
 * @output whether anything was printed
 */
export function tellAndRecord(
  teller: Teller,
  view: SessionView,
  telling: Telling | undefined,
  isAgain = false,
): boolean {
  const { world, workspace, decide, printUnrecorded } = teller;
  const { session: id } = workspace.key;
  if (telling?.change === undefined) return printUnrecorded(telling);
  const settled = settleRoot(world, workspace, view);
  if (settled === undefined) {
    // Nobody knows the session yet: there is nothing to forget.
    warnUnrecorded(world, view.place, HELD);
    return printUnrecorded(telling);
  }
  const { place } = settled;
  const unmade = makeStatePlace(world, place, workspace.settings.agents.root.markers);
  if (unmade !== undefined) return tellUnrecorded(teller, place, telling, unmade);
  const isSettled = () => decide(viewIn(place, id).session) === undefined;
  const attempt = lockLedger(world, place, isBeginning(telling.change), isSettled);
  world.trace("lock", { kind: attempt.kind });
  switch (attempt.kind) {
    case "settled":
      return false;
    case "failed":
      if (attempt.reason === HELD) return tellLate(teller, place);
      return tellUnrecorded(teller, place, telling, attempt.reason);
    case "locked":
      return tellLocked(teller, place, attempt.lock, isAgain);
  }
}

function tellLocked(teller: Teller, place: StatePlace, lock: Lock, isAgain: boolean): boolean {
  const { world, workspace, decide, printUnrecorded } = teller;
  const { session: id } = workspace.key;
  const present = readForWriting(world, place);
  if (present.kind === "unusable") {
    lock.release();
    return tellUnrecorded(teller, place, decide(undefined), present.reason);
  }
  const { ledger, session, isRestored } = withArchived(place, present.ledger, id);
  const telling = decide(session);
  if (telling?.change === undefined) {
    lock.release();
    return printUnrecorded(telling);
  }
  const begins = isBeginning(telling.change);
  // Late records may begin a context anew.
  const isLess = begins || present.late !== undefined;
  const next = prune(tieLedger(world, place, changed(teller, ledger, telling), isLess), id, world.now());
  const kept = next.idle.length === 0 ? next.ledger : archiveSessions(world, place, next.ledger, next.idle);
  const archived = isRestored ? archivePath(place, id) : undefined;
  const draft = draftLedger(world, place, lock, kept, { tree: ledger.tree, late: present.late, archived });
  // Others may have given up waiting and told the same meanwhile. This is checked once: at worst something is told twice.
  if (!isAgain && isNamedSince(place, id, present.late)) {
    draft.discard();
    const view = viewIn(place, id);
    return tellAndRecord(teller, view, decide(view.session), true);
  }
  const { isPrinted, publication } =
    telling.unblocking === undefined
      ? printThenRecord(teller, telling, draft)
      : recordThenPrint(teller, telling, draft);
  if (publication === "broken") {
    if (telling.unblocking === undefined) recordLate(teller, place, session, telling);
    else warnUnrecorded(world, place, "the lock was broken");
  }
  // Forgetting repeats what others were told; remembering would lose what this context must be told again.
  if (begins && publication === "failed") forgetLedger(world, place);
  if (publication === "published" && (begins || next.idle.length > 0)) sweepLeftovers(world, place, workspace.places);
  return isPrinted;
}

interface Outcome {
  readonly isPrinted: boolean;
  readonly publication: Publication | "unread";
}

/** A crash between the two repeats it. */
function printThenRecord({ print }: Teller, telling: Telling, draft: Draft): Outcome {
  if (print(telling)) return { isPrinted: telling.text !== "", publication: draft.publish() };
  draft.discard();
  return { isPrinted: false, publication: "unread" };
}

/** A crash between the two blocks nothing. */
function recordThenPrint({ print, printUnrecorded }: Teller, telling: Telling, draft: Draft): Outcome {
  const publication = draft.publish();
  const isPrinted = publication === "published" ? print(telling) : printUnrecorded(telling);
  return { isPrinted, publication };
}

function tellUnrecorded(
  { world, printUnrecorded }: Teller,
  place: StatePlace,
  telling: Telling | undefined,
  reason: string,
) {
  if (telling?.change !== undefined) warnUnrecorded(world, place, reason);
  if (isBeginning(telling?.change)) forgetLedger(world, place);
  return printUnrecorded(telling);
}

/**
 * Prints what can't wait for the lock any longer, unless it was told late before. What blocks is not printed: it would
 * have to be recorded first.
 */
function tellLate(teller: Teller, place: StatePlace): boolean {
  const { world, workspace, decide, print, printUnrecorded } = teller;
  const { session } = knownNow(place, workspace.key.session);
  const telling = decide(session);
  if (telling?.change === undefined) return printUnrecorded(telling);
  if (telling.unblocking !== undefined) {
    warnUnrecorded(world, place, HELD);
    return printUnrecorded(telling);
  }
  if (!print(telling)) return false;
  recordLate(teller, place, session, telling);
  return telling.text !== "";
}

/**
 * Adds a line beside the ledger, which says what is new in it. A beginning that can't be recorded takes the ledger away.
 *
 * @input  decidedOn: what was known of the session when it was decided what to tell
 */
function recordLate(teller: Teller, place: StatePlace, decidedOn: Session | undefined, telling: Telling): void {
  const { world, workspace } = teller;
  const { key } = workspace;
  const known = knownNow(place, key.session);
  const [then, now] = [epochIn(decidedOn, key), epochIn(known.session, key)];
  // If the context has begun anew since, it has forgotten what was told here.
  const line = then === now ? lineOf(known, changed(teller, known.ledger, telling), key.session) : undefined;
  if (line !== undefined && addLate(place, line)) {
    world.trace("recorded-late", { beside: place.directory });
    return;
  }
  warnUnrecorded(world, place, HELD);
  if (isBeginning(telling.change) && then >= now) forgetLedger(world, place);
}

/** What changed in one session; undefined if no line can say it. */
function lineOf({ session: before, isRestored }: Known, after: Ledger, id: string): Ledger | undefined {
  const session = findSession(after, id);
  // Once it is in the ledger, its archive is not read again.
  const added = session && additionsTo(isRestored ? undefined : before, session);
  return added && { ...after, sessions: { [id]: added } };
}

interface Known {
  /** With the session from its archive. */
  readonly ledger: Ledger;
  readonly session: Session | undefined;
  readonly isRestored: boolean;
}

/** As whoever holds the lock next would find it. */
function knownNow(place: StatePlace, id: string): Known {
  const late = readLate(place);
  return withArchived(place, ledgerIn(place, readLedgerSurely(place, late), late), id);
}

function withArchived(place: StatePlace, ledger: Ledger, id: string): Known {
  const known = findSession(ledger, id);
  const archived = known === undefined ? readArchived(place, id, ledger.tree) : undefined;
  if (archived === undefined) return { ledger, session: known, isRestored: false };
  return { ledger: restore(ledger, id, archived), session: archived, isRestored: true };
}

function changed({ world, workspace }: Teller, ledger: Ledger, { change }: Telling): Ledger {
  if (change === undefined) return ledger;
  return applyChange(ledger, workspace.key, surroundingsOf(workspace), change, world.now());
}

function epochIn(session: Session | undefined, key: ContextKey): number {
  return findContext(session, key.context).epoch;
}
