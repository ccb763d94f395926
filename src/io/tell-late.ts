import { emptyLedger, findContext, findSession, type ContextKey } from "../core/ledger.ts";
import { restore } from "../core/ledger-prune.ts";
import type { Ledger } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { addLate } from "./change-late-records.ts";
import { warnUnrecorded } from "./ledger-commit.ts";
import { readArchived, readLedgerSurely } from "./ledger-read.ts";
import { HELD } from "./lock.ts";
import { treeOf, type StatePlace } from "./state-place.ts";
import { printUnrecorded, say, type Decide, type Telling } from "./telling.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Says what can't wait for the ledger's lock any longer, unless it was said late before, and leaves the record of it
 * for whoever holds the lock next.
 *
 * @output whether anything was printed
 * @effect prints; a line beside the ledger, or a warning. What blocks is not said: it would have to be recorded first
 * @error  none
 */
export function tellLate(world: World, { key }: Workspace, place: StatePlace, decide: Decide): boolean {
  const known = knownNow(place, key.session);
  const telling = decide(findSession(known, key.session));
  if (telling?.record === undefined) return printUnrecorded(world, telling);
  if (telling.unblocking !== undefined) {
    warnUnrecorded(world, place, HELD);
    return printUnrecorded(world, telling);
  }
  if (!say(world, telling)) return false;
  recordLate(world, key, place, telling.record);
  return telling.text !== "";
}

/**
 * @effect a line beside the ledger, or a warning
 * @error  none
 */
export function recordLate(
  world: World,
  key: ContextKey,
  place: StatePlace,
  record: NonNullable<Telling["record"]>,
): void {
  const known = knownNow(place, key.session);
  const late = aloneIn(record(known), key, known);
  if (late !== undefined && addLate(place, late)) world.trace("recorded-late", { beside: place.directory });
  else warnUnrecorded(world, place, HELD);
}

/** As whoever holds the lock next would find it. */
function knownNow(place: StatePlace, id: string): Ledger {
  const read = readLedgerSurely(place);
  const known = read.kind === "ledger" ? read.ledger : emptyLedger(treeOf(place) ?? "");
  if (findSession(known, id) !== undefined) return known;
  const archived = readArchived(place, id);
  return archived === undefined ? known : restore(known, id, archived);
}

/**
 * What merging can say: the one context, with what it knows now.
 *
 * @output undefined for what it can't: that a context is over
 */
function aloneIn(ledger: Ledger, key: ContextKey, before: Ledger): Ledger | undefined {
  const contexts = findSession(before, key.session)?.contexts ?? {};
  const session = findSession(ledger, key.session);
  if (session === undefined || !Object.hasOwn(session.contexts, key.context)) return undefined;
  if (Object.keys(contexts).some((name) => !Object.hasOwn(session.contexts, name))) return undefined;
  const alone = { ...session, contexts: { [key.context]: findContext(session, key.context) } };
  return { ...ledger, sessions: { [key.session]: alone } };
}
