import { findSession, REFRESH_MS } from "./ledger.ts";
import { prune, restore } from "./ledger-prune.ts";
import type { World } from "../world.ts";
import { isNamedSince } from "./change-late-records.ts";
import { archiveSessions, sweepLeftovers } from "./ledger-archive.ts";
import {
  draftLedger,
  forgetLedger,
  lockLedger,
  readForWriting,
  tieLedger,
  warnUnrecorded,
  type Draft,
  type Publication,
} from "./ledger-commit.ts";
import { archivePath, readArchived, viewIn, type SessionView } from "./ledger-read.ts";
import { HELD, type Lock } from "../lib/lock.ts";
import { makeStatePlace } from "./make-place.ts";
import { settleOrigin } from "./settle-origin.ts";
import type { StatePlace } from "./state-place.ts";
import { recordLate, tellLate } from "./tell-late.ts";
import { printUnrecorded, say, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "../workspace.ts";

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
