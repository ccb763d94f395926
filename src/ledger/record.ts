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
import { addEvidence, newsOf } from "./evidence.ts";
import { makeLedgerDirectory } from "./make-directory.ts";
import type { LedgerLocation } from "./location.ts";
import { archivePath, readArchived, readLate, readLedgerSurely, viewIn, type SessionView } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";
import type { Teller, Telling } from "./tell.ts";
import { tieLedger } from "./tree.ts";

/**
 * The second half of `tellOnce`: decides again under the ledger's lock, prints, then records. A call that can't get the
 * lock in time prints anyway, and leaves its record beside the ledger.
 *
 * @input  view: what is known of the session before locking; telling: what was decided on that basis; isAgain: the lock
 *          was held before, and others recorded meanwhile
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
    // The session is unknown, so there is nothing to forget.
    warnUnrecorded(world, view.location, HELD);
    return printUnrecorded(telling);
  }
  const { location } = settled;
  const unmade = makeLedgerDirectory(world, location, workspace.settings.agents.root.markers);
  if (unmade !== undefined) return tellUnrecorded(teller, location, telling, unmade);
  const isSettled = () => decide(viewIn(location, id).session) === undefined;
  const attempt = lockLedger(world, location, isBeginning(telling.change), isSettled);
  world.trace("lock", { kind: attempt.kind });
  switch (attempt.kind) {
    case "settled":
      return false;
    case "failed":
      if (attempt.reason === HELD) return tellLate(teller, location);
      return tellUnrecorded(teller, location, telling, attempt.reason);
    case "locked":
      return tellLocked(teller, location, attempt.lock, isAgain);
  }
}

function tellLocked(teller: Teller, location: LedgerLocation, lock: Lock, isAgain: boolean): boolean {
  const { world, workspace, decide, printUnrecorded } = teller;
  const { session: id } = workspace.key;
  const present = readForWriting(world, location);
  if (present.kind === "unusable") {
    lock.release();
    return tellUnrecorded(teller, location, decide(undefined), present.reason);
  }
  const { ledger, session, isRestored } = withArchived(location, present.ledger, id);
  const telling = decide(session);
  if (telling?.change === undefined) {
    lock.release();
    return printUnrecorded(telling);
  }
  const begins = isBeginning(telling.change);
  // Late records may begin a context anew.
  const isLess = begins || present.late !== undefined;
  const next = prune(tieLedger(world, location, changed(teller, ledger, telling), isLess), id, world.now());
  const kept = next.idle.length === 0 ? next.ledger : archiveSessions(world, location, next.ledger, next.idle);
  const archived = isRestored ? archivePath(location, id) : undefined;
  const draft = draftLedger(world, location, lock, kept, { tree: ledger.tree, late: present.late, archived });
  // Others may have given up waiting and told the same meanwhile. This is checked once: at worst something is told
  // twice.
  if (!isAgain && isNamedSince(location, id, present.late)) {
    draft.discard();
    const view = viewIn(location, id);
    return tellAndRecord(teller, view, decide(view.session), true);
  }
  const { isPrinted, publication } =
    telling.unblocking === undefined
      ? printThenRecord(teller, telling, draft)
      : recordThenPrint(teller, telling, draft);
  if (publication === "broken") {
    if (telling.unblocking === undefined) recordLate(teller, location, session, telling);
    else warnUnrecorded(world, location, "the lock was broken");
  }
  if (publication === "published") witness(teller, location, kept, telling);
  // Forgetting repeats what others were told; keeping it would hide what this context must be told again.
  if (begins && publication === "failed") forgetLedger(world, location);
  // Not with every compaction: killed processes are rare.
  const isFirst = begins && epochIn(session, workspace.key) === 0;
  if (publication === "published" && (isFirst || next.idle.length > 0))
    sweepLeftovers(world, location, workspace.userDirectories);
  return isPrinted;
}

interface Outcome {
  readonly isPrinted: boolean;
  readonly publication: Publication | "unread";
}

/** A crash between the two steps repeats the telling. */
function printThenRecord({ print }: Teller, telling: Telling, draft: Draft): Outcome {
  if (print(telling)) return { isPrinted: telling.text !== "", publication: draft.publish() };
  draft.discard();
  return { isPrinted: false, publication: "unread" };
}

/** A crash between the two steps blocks nothing. */
function recordThenPrint({ print, printUnrecorded }: Teller, telling: Telling, draft: Draft): Outcome {
  const publication = draft.publish();
  const isPrinted = publication === "published" ? print(telling) : printUnrecorded(telling);
  return { isPrinted, publication };
}

function tellUnrecorded(
  { world, printUnrecorded }: Teller,
  location: LedgerLocation,
  telling: Telling | undefined,
  reason: string,
) {
  if (telling?.change !== undefined) warnUnrecorded(world, location, reason);
  if (isBeginning(telling?.change)) forgetLedger(world, location);
  return printUnrecorded(telling);
}

/**
 * Prints what can't wait for the lock any longer, unless it was told late before. A text that blocks is not printed: it
 * would have to be recorded first.
 */
function tellLate(teller: Teller, location: LedgerLocation): boolean {
  const { world, workspace, decide, print, printUnrecorded } = teller;
  const { session } = knownNow(location, workspace.key.session);
  const telling = decide(session);
  if (telling?.change === undefined) return printUnrecorded(telling);
  if (telling.unblocking !== undefined) {
    warnUnrecorded(world, location, HELD);
    return printUnrecorded(telling);
  }
  if (!print(telling)) return false;
  recordLate(teller, location, session, telling);
  return telling.text !== "";
}

/**
 * Appends a line beside the ledger that says what is new. If a beginning can't be recorded, the ledger is removed.
 *
 * @input  decidedOn: what was known of the session when it was decided what to tell
 */
function recordLate(teller: Teller, location: LedgerLocation, decidedOn: Session | undefined, telling: Telling): void {
  const { world, workspace } = teller;
  const { key } = workspace;
  const known = knownNow(location, key.session);
  const [then, now] = [epochIn(decidedOn, key), epochIn(known.session, key)];
  // If the context has begun anew since, it has forgotten what was told here.
  const after = changed(teller, known.ledger, telling);
  const line = then === now ? lineOf(known, after, key.session) : undefined;
  if (line !== undefined && addLate(location, line)) {
    witness(teller, location, after, telling);
    world.trace("recorded-late", { beside: location.directory });
    return;
  }
  warnUnrecorded(world, location, HELD);
  if (isBeginning(telling.change) && then >= now) forgetLedger(world, location);
}

/** What changed in one session; undefined if a line can't express it. */
function lineOf({ session: before, isRestored }: Known, after: Ledger, id: string): Ledger | undefined {
  const session = findSession(after, id);
  // Once it is in the ledger, its archive is no longer read.
  const added = session && additionsTo(isRestored ? undefined : before, session);
  return added && { ...after, sessions: { [id]: added } };
}

interface Known {
  /** With the session from its archive. */
  readonly ledger: Ledger;
  readonly session: Session | undefined;
  readonly isRestored: boolean;
}

/** As the next holder of the lock would find it. */
function knownNow(location: LedgerLocation, id: string): Known {
  const late = readLate(location);
  return withArchived(location, ledgerIn(location, readLedgerSurely(location, late), late), id);
}

function withArchived(location: LedgerLocation, ledger: Ledger, id: string): Known {
  const known = findSession(ledger, id);
  const archived = known === undefined ? readArchived(location, id, ledger.tree) : undefined;
  if (archived === undefined) return { ledger, session: known, isRestored: false };
  return { ledger: restore(ledger, id, archived), session: archived, isRestored: true };
}

function changed({ world, workspace }: Teller, ledger: Ledger, { change }: Telling): Ledger {
  if (change === undefined) return ledger;
  return applyChange(ledger, workspace.key, surroundingsOf(workspace), change, world.now());
}

/** Evidence of what was told and recorded. */
function witness({ world, workspace }: Teller, location: LedgerLocation, ledger: Ledger, telling: Telling): void {
  const { change, unblocking } = telling;
  // A call that is blocked writes nothing.
  const isEdit = telling.isEdit === true && unblocking === undefined;
  if (change === undefined) return;
  const { key } = workspace;
  const session = findSession(ledger, key.session);
  const news = { ...newsOf(change, session, key.context), ...(isEdit && { edit: true as const }) };
  addEvidence(world, location, key, { epoch: epochIn(session, key), tree: ledger.tree }, news);
}

function epochIn(session: Session | undefined, key: ContextKey): number {
  return findContext(session, key.context).epoch;
}
