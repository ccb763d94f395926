import { emptyLedger } from "../core/ledger.ts";
import { printLedger } from "../core/ledger-text.ts";
import type { Ledger } from "../schema/ledger.ts";
import type { World } from "../world.ts";
import { forgetLate, recoverLate } from "./change-late-records.ts";
import { disk, errnoOf } from "./disk.ts";
import { lateFile, lateIn, latePath, type LateRecords } from "./late-records.ts";
import { forgetArchived } from "./ledger-archive.ts";
import { readLedgerSurely, type LedgerRead } from "./ledger-read.ts";
import { acquireLock, type Lock, type LockAttempt } from "./lock.ts";
import type { TextRead } from "./read-file.ts";
import { ledgerPath, treeOf, type StatePlace } from "./state-place.ts";
import { createFile, removeQuietly } from "./write-file.ts";

/** The steps of one write to a ledger: lock, read, draft, publish. */
const LOCK_WAIT_MS = 1000;
/**
 * A beginning must be recorded, or what the context was told before would count as told still: it waits longer, and
 * takes the lock from a holder that does not move. That one's telling is repeated then.
 */
const BEGINNING_WAIT_MS = 3000;
const BEGINNING_PATIENCE_MS = 1000;

export function lockLedger(
  world: World,
  place: StatePlace,
  isBeginning: boolean,
  isSettled: () => boolean,
): LockAttempt {
  const path = ledgerPath(place);
  return acquireLock(world, {
    path: `${path}.lock`,
    ...(isBeginning ? { waitMs: BEGINNING_WAIT_MS, patienceMs: BEGINNING_PATIENCE_MS } : { waitMs: LOCK_WAIT_MS }),
    isSettled,
    cleanUpAfter: (nonce) => {
      removeQuietly(draftPath(path, nonce));
      recoverLate(place, nonce);
    },
  });
}

export type Present =
  /** `late` is in it already: its lines are to be forgotten with the next publication. */
  | { readonly kind: "ledger"; readonly ledger: Ledger; readonly late: LateRecords | undefined }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The ledger as it is now, with what was recorded late; what isn't ours is kept under another name, reported, and
 * begun anew.
 */
export function readForWriting(world: World, place: StatePlace): Present {
  const file = lateFile(place);
  // It would keep all records out for good.
  if (isForeign(file)) setAside(world, latePath(place), "it is no file of ours");
  const late = lateIn(place, file);
  const read = readLedgerSurely(place, late);
  const errno = read.kind === "foreign" ? setAside(world, ledgerPath(place), read.reason) : undefined;
  if (errno !== undefined) return { kind: "unusable", reason: errno };
  return { kind: "ledger", ledger: ledgerIn(place, read, late), late };
}

/** What there is to go on from: where there is no ledger of ours, what was recorded late. */
export function ledgerIn(place: StatePlace, read: LedgerRead, late: LateRecords | undefined): Ledger {
  return read.kind === "ledger" ? read.ledger : (late?.ledger ?? emptyLedger(treeOf(place) ?? ""));
}

function isForeign(file: TextRead | undefined): boolean {
  return file?.kind === "too-large" || (file?.kind === "unusable" && file.reason === "not-a-regular-file");
}

/** The errno where it can't be. */
function setAside(world: World, path: string, reason: string): string | undefined {
  const aside = `${path}.${new Date(world.now()).toISOString().replace(/[-:.]/g, "")}.aside`;
  try {
    disk.rename(path, aside);
  } catch (error) {
    return errnoOf(error);
  }
  world.warn(`the ledger '${path}' is set aside as '${aside}': ${reason}`);
  return undefined;
}

/** `broken`: the lock was ours no longer. `failed`: a warning has said why. */
export type Publication = "published" | "broken" | "failed";

export interface Draft {
  /** Makes it the ledger and releases the lock. */
  publish(): Publication;
  /** Forgets it and releases the lock. */
  discard(): void;
}

/**
 * Writes the next ledger beside the present one, so that a full disk shows before anything is said.
 *
 * @input  late: what is in it of that, to be forgotten once it is the ledger
 * @output the draft; where it can't be written one whose `publish` fails
 * @effect a file named after the lock; a warning when it can't be written
 * @error  none
 */
export function draftLedger(
  world: World,
  place: StatePlace,
  lock: Lock,
  ledger: Ledger,
  late: LateRecords | undefined,
): Draft {
  const path = ledgerPath(place);
  const draft = draftPath(path, lock.nonce);
  const drafted = createFile(draft, printLedger(ledger));
  if (drafted.kind === "failed") warnUnrecorded(world, place, drafted.errno);
  function discard(): void {
    if (drafted.kind === "written") removeQuietly(draft);
    lock.release();
  }
  function publish(): Publication {
    if (drafted.kind === "failed") {
      lock.release();
      return "failed";
    }
    try {
      // A lock that was broken is not ours to write under.
      const isPublished = lock.finish(() => {
        disk.rename(draft, path);
        if (late !== undefined) forgetLate(place, late, lock.nonce);
      });
      if (isPublished) return "published";
      removeQuietly(draft);
      return "broken";
    } catch (error) {
      removeQuietly(draft);
      warnUnrecorded(world, place, errnoOf(error));
      return "failed";
    }
  }
  return { publish, discard };
}

/** What every context was told is news to it again, and to those of the session wherever it was kept. */
export function forgetLedger(place: StatePlace, id: string): void {
  removeQuietly(ledgerPath(place));
  removeQuietly(latePath(place));
  forgetArchived(place, id);
}

export function warnUnrecorded(world: World, place: StatePlace, reason: string): void {
  world.warn(`could not record in '${place.directory}' what was told (${reason}); it may be told again`);
}

function draftPath(path: string, nonce: string): string {
  return `${path}.${nonce}.new`;
}
