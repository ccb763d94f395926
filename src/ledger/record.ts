import { HELD, type Lock } from "../lib/lock.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { archiveSessions, sweepLeftovers } from "./archive.ts";
import { settleOrigin } from "./claim.ts";
import {
  draftLedger,
  forgetLedger,
  lockLedger,
  readForWriting,
  tieLedger,
  warnUnrecorded,
  ledgerIn,
  type Draft,
  type Publication,
} from "./commit.ts";
import { findSession, REFRESH_MS, findContext, type ContextKey } from "./contexts.ts";
import { readLate } from "./late-read.ts";
import { isNamedSince, addLate } from "./late.ts";
import { makeStatePlace } from "./make-place.ts";
import { prune, restore, additionsTo } from "./merge.ts";
import type { StatePlace } from "./place.ts";
import { archivePath, readArchived, viewIn, readLedgerSurely, type SessionView } from "./read.ts";
import type { Ledger, Session } from "./schema.ts";
import { printUnrecorded, say, lastWord, type Decide, type Telling } from "./telling.ts";

const BROKEN = "the lock was broken";

/**
 * The second half of `tellOnce`: decides again under the ledger's lock, prints, then records.
 *
 * @input  view, first: what was known of the session before the lock was held, and what `decide` made of it;
 *         isAgain: the lock was had before, and others had recorded meanwhile
 * @output, @effect, @error, @ensures as `tellOnce`
 */
export function tellAndRecord(
  world: World,
  workspace: Workspace,
  view: SessionView,
  decide: Decide,
  first: Telling | undefined,
  isAgain = false,
): boolean {
  const { session: id } = workspace.key;
  const decideNow = withRefresh(decide, id, world.now());
  const telling = first?.record === undefined ? decideNow(view.session) : first;
  if (telling?.record === undefined) return printUnrecorded(world, telling);
  const settled = settleOrigin(world, workspace, view);
  if (settled === undefined) {
    // Nobody knows the session yet: there is nothing to forget.
    warnUnrecorded(world, view.place, HELD);
    return printUnrecorded(world, telling);
  }
  const { place } = settled;
  const unmade = makeStatePlace(world, place, workspace.settings.agents.root.markers);
  if (unmade !== undefined) return tellUnlocked(world, place, telling, unmade);
  const { isBeginning = false } = telling;
  const isSettled = () => decideNow(viewIn(place, id).session) === undefined;
  const attempt = lockLedger(world, place, isBeginning, isSettled);
  world.trace("lock", { kind: attempt.kind });
  switch (attempt.kind) {
    case "settled":
      return false;
    case "failed":
      if (attempt.reason === HELD) return tellLate(world, workspace, place, decideNow);
      return tellUnlocked(world, place, telling, attempt.reason);
    case "locked":
      return tellLocked(world, workspace, place, attempt.lock, decideNow, isAgain);
  }
}

function tellLocked(
  world: World,
  workspace: Workspace,
  place: StatePlace,
  lock: Lock,
  decide: Decide,
  isAgain: boolean,
): boolean {
  const { session: id } = workspace.key;
  const present = readForWriting(world, place);
  if (present.kind === "unusable") {
    lock.release();
    return tellUnlocked(world, place, decide(undefined), present.reason);
  }
  const known = findSession(present.ledger, id);
  const restored = known === undefined ? readArchived(place, id, present.ledger.tree) : undefined;
  const session = known ?? restored;
  const telling = decide(session);
  if (telling?.record === undefined) {
    lock.release();
    return printUnrecorded(world, telling);
  }
  const base = restored === undefined ? present.ledger : restore(present.ledger, id, restored);
  // Late records may begin a context anew.
  const isLess = telling.isBeginning === true || present.late !== undefined;
  const { ledger, idle } = prune(tieLedger(world, place, telling.record(base), isLess), id, world.now());
  const kept = idle.length === 0 ? ledger : archiveSessions(world, place, ledger, idle);
  const archived = restored === undefined ? undefined : archivePath(place, id);
  const sources = { tree: present.ledger.tree, late: present.late, archived };
  const draft = draftLedger(world, place, lock, kept, sources);
  // Whoever holds the lock for longer than others wait for it finds here what they have said meanwhile. It looks once: at
  // the worst something is said twice.
  if (!isAgain && isNamedSince(place, id, present.late)) {
    draft.discard();
    return tellAndRecord(world, workspace, viewIn(place, id), decide, undefined, true);
  }
  const { isPrinted, publication } =
    telling.unblocking === undefined ? sayThenRecord(world, telling, draft) : recordThenSay(world, telling, draft);
  if (publication === "broken") {
    if (telling.unblocking === undefined) recordLate(world, workspace, place, session, telling);
    else warnUnrecorded(world, place, BROKEN);
  }
  // Forgetting repeats what others were told; remembering would lose what this context must be told again.
  if (telling.isBeginning && publication === "failed") forgetLedger(world, place);
  if (publication === "published" && (telling.isBeginning || idle.length > 0)) {
    sweepLeftovers(world, place, workspace.places);
  }
  return isPrinted;
}

interface Outcome {
  readonly isPrinted: boolean;
  readonly publication: Publication | "unread";
}

/** A crash between the two repeats it. */
function sayThenRecord(world: World, telling: Telling, draft: Draft): Outcome {
  if (say(world, telling)) return { isPrinted: telling.text !== "", publication: draft.publish() };
  draft.discard();
  return { isPrinted: false, publication: "unread" };
}

/** A crash between the two blocks nothing. */
function recordThenSay(world: World, telling: Telling, draft: Draft): Outcome {
  const publication = draft.publish();
  return {
    isPrinted: publication === "published" ? say(world, telling) : printUnrecorded(world, telling),
    publication,
  };
}

/** The session's time alone is worth a write, but at most hourly. */
function withRefresh(decide: Decide, id: string, now: number): Decide {
  return (session) => {
    const telling = decide(session);
    if (telling?.record !== undefined || session === undefined || now - session.updatedAt < REFRESH_MS) return telling;
    return {
      text: "",
      ...telling,
      record: (ledger) => restore(ledger, id, { ...session, updatedAt: now, contexts: {} }),
    };
  };
}

function tellUnlocked(world: World, place: StatePlace, telling: Telling | undefined, reason: string): boolean {
  if (telling?.record !== undefined) warnUnrecorded(world, place, reason);
  if (telling?.isBeginning) forgetLedger(world, place);
  return printUnrecorded(world, telling);
}

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

/**
 * The second half of `tellOnce`, where there is something to say or to record; plugins have the last word of it.
 *
 * @input  view, first: what is known of the session, and what `decide` made of it; no view where nobody keeps a ledger
 * @output, @effect, @error, @ensures as `tellOnce`
 */
export function tellNow(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
): boolean | Promise<boolean> {
  const last = lastWord(world, workspace);
  return last === undefined
    ? tell(world, workspace, view, decide, first)
    : tellPlugged(world, workspace, view, decide, first, last);
}

async function tellPlugged(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
  last: Promise<Telling["atLast"]>,
): Promise<boolean> {
  const atLast = await last;
  const decideLast: Decide = (session) => {
    const telling = decide(session);
    return telling && { ...telling, atLast };
  };
  return tell(world, workspace, view, decideLast, first && { ...first, atLast });
}

function tell(
  world: World,
  workspace: Workspace,
  view: SessionView | undefined,
  decide: Decide,
  first: Telling | undefined,
): boolean {
  if (view === undefined) return printUnrecorded(world, decide(undefined));
  return tellAndRecord(world, workspace, view, decide, first);
}
