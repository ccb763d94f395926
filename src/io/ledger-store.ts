import { REFRESH_MS } from "../core/ledger.ts";
import { prune, restore } from "../core/ledger-prune.ts";
import { DEFAULT_SESSION } from "../core/session-name.ts";
import type { Ledger, Session } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { archiveSessions, sweepLeftovers } from "./ledger-archive.ts";
import { draftLedger, lockLedger, readForWriting, warnUnrecorded } from "./ledger-commit.ts";
import { archivePath, pointerPath, readArchived, viewIn, viewSession } from "./ledger-read.ts";
import { HELD, type Lock } from "./lock.ts";
import { ledgerPath, makeStatePlace, type StatePlace } from "./state-place.ts";
import type { Workspace } from "./workspace.ts";
import { removeQuietly, writeWhole } from "./write-file.ts";

/** What is to be said, and what the ledger says once it has been. */
export interface Telling {
  /** May be empty: something to record, nothing to say. */
  readonly text: string;
  /** What goes with it to standard error. */
  readonly notes?: readonly string[];
  /** Without one there is nothing to record: it is said at once, whoever else says the same. */
  readonly record?: (ledger: Ledger) => Ledger;
  /** It begins the context anew: left unrecorded, what was told before would count as told still. */
  readonly isBeginning?: boolean;
}

/** Decides from what the session was told so far; undefined when there is nothing to say or record. Pure. */
export type Decide = (session: Session | undefined) => Telling | undefined;

/**
 * Says a thing once: decides, and when there is something to say decides again under the ledger's lock, prints,
 * then records. Of any number of processes that would say the same, one does.
 *
 * @input  decide: called once or more, with newer knowledge each time
 * @output whether anything was printed
 * @effect prints at most once; the ledger, its lock, pointer and archive. Nothing is written when `decide` has
 *         nothing to say, but for the session's time, at most hourly
 * @error  none: what can't be recorded is printed all the same, with a warning
 * @ensures a crash at any moment repeats a telling and never loses one
 */
export function tellOnce(world: World, workspace: Workspace, decide: Decide): boolean {
  if (workspace.noState) return printUnrecorded(world, decide(undefined));
  const { key, places } = workspace;
  const view = viewSession(workspace.root.directory, key.session, places, world.home);
  const decideNow = withRefresh(decide, key.session, world.now());
  const telling = decideNow(view.session);
  world.trace("decided", { news: telling !== undefined, ledger: view.place.directory });
  if (telling?.record === undefined) return printUnrecorded(world, telling);

  const unmade = makeStatePlace(world, view.place, workspace.settings.agents.root.markers);
  if (unmade !== undefined) return tellUnlocked(world, view.place, telling, unmade);
  const { isBeginning = false } = telling;
  const attempt = lockLedger(
    world,
    view.place,
    isBeginning,
    () => decideNow(viewIn(view.place, key.session).session) === undefined,
  );
  world.trace("lock", { kind: attempt.kind });
  switch (attempt.kind) {
    case "settled":
      return false;
    case "failed":
      return tellUnlocked(world, view.place, telling, attempt.reason);
    case "locked":
      return tellLocked(world, workspace, view.place, attempt.lock, decideNow);
  }
}

function tellLocked(world: World, workspace: Workspace, place: StatePlace, lock: Lock, decide: Decide): boolean {
  const { session: id } = workspace.key;
  const present = readForWriting(world, place);
  if (present.kind === "unusable") {
    lock.release();
    return tellUnlocked(world, place, decide(undefined), present.reason);
  }
  const known = Object.hasOwn(present.ledger.sessions, id) ? present.ledger.sessions[id] : undefined;
  const restored = known === undefined ? readArchived(place, id) : undefined;
  const session = known ?? restored;
  const telling = decide(session);
  if (telling?.record === undefined) {
    lock.release();
    return printUnrecorded(world, telling);
  }
  const base = restored === undefined ? present.ledger : restore(present.ledger, id, restored);
  const { ledger, idle } = prune(telling.record(base), id, world.now());
  archiveSessions(world, place, idle);
  const draft = draftLedger(world, place, lock, ledger);
  // Forgetting repeats what others were told; remembering would lose what this context must be told again.
  if (telling.isBeginning && !draft.isWritten) removeQuietly(ledgerPath(place));
  const isPrinted = say(world, telling);
  if (!isPrinted) draft.discard();
  else if (draft.publish()) {
    if (session === undefined) begin(world, workspace, place);
    else if (restored !== undefined) removeQuietly(archivePath(place, id));
  }
  return isPrinted && telling.text !== "";
}

/**
 * Changes the ledger without saying anything.
 *
 * @output whether it is changed; false with a warning when it can't be
 * @effect the ledger and its lock
 * @error  none
 */
export function editLedger(world: World, place: StatePlace, edit: (ledger: Ledger) => Ledger): boolean {
  const attempt = lockLedger(world, place, false, () => false);
  if (attempt.kind !== "locked") {
    warnUnrecorded(world, place, attempt.kind === "failed" ? attempt.reason : attempt.kind);
    return false;
  }
  const present = readForWriting(world, place);
  if (present.kind === "unusable") {
    attempt.lock.release();
    warnUnrecorded(world, place, present.reason);
    return false;
  }
  return draftLedger(world, place, attempt.lock, edit(present.ledger)).publish();
}

/** A session's first record: where it began, for calls from other roots. */
function begin(world: World, workspace: Workspace, place: StatePlace): void {
  const { key, places } = workspace;
  sweepLeftovers(world, place, places);
  if (key.session === DEFAULT_SESSION) return;
  const text = `${JSON.stringify({ id: key.session, root: place.root })}\n`;
  writeWhole(world, pointerPath(places, key.session), text, { directoryMode: 0o700, fileMode: 0o600 });
}

/** The session's time alone is worth a write, but at most hourly. */
function withRefresh(decide: Decide, id: string, now: number): Decide {
  return (session) => {
    const telling = decide(session);
    if (telling?.record !== undefined || session === undefined || now - session.updatedAt < REFRESH_MS) return telling;
    return { text: "", ...telling, record: (ledger) => restore(ledger, id, { ...session, updatedAt: now }) };
  };
}

function tellUnlocked(world: World, place: StatePlace, telling: Telling | undefined, reason: string): boolean {
  if (telling?.record !== undefined) warnUnrecorded(world, place, reason);
  // Where no lock can be made, nobody else makes one: the ledger is nobody's.
  if (telling?.isBeginning && reason !== HELD) removeQuietly(ledgerPath(place));
  return printUnrecorded(world, telling);
}

function printUnrecorded(world: World, telling: Telling | undefined): boolean {
  return telling !== undefined && say(world, telling) && telling.text !== "";
}

/** False when the reader has gone: what nobody read was not told. */
function say(world: World, { text, notes = [] }: Telling): boolean {
  for (const note of notes) world.complain(`codelia: ${note}\n`);
  return text === "" || world.write(text);
}
