import { dirname, join } from "node:path";
import { errnoOf } from "../lib/fs.ts";
import { acquireLock, type Lock, type LockAttempt } from "../lib/lock.ts";
import { namesIn } from "../lib/path-facts.ts";
import type { TextRead } from "../lib/read-file.ts";
import { createFile, removeQuietly, rename } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { forgetArchive } from "./archive.ts";
import { emptyLedger } from "./contexts.ts";
import { printLedger } from "./format.ts";
import { forgetLate, recoverLate } from "./late.ts";
import { ledgerPath, treeOf, type LedgerLocation } from "./location.ts";
import { lateFile, lateIn, lateLedger, latePath, readLedger, readLedgerSurely, type LedgerRead } from "./read.ts";
import type { Ledger } from "./schema.ts";
import { rememberTree, retireTree } from "./tree.ts";

/** One write to a ledger, step by step: lock it, read it, draft the next one, publish that. */

const LOCK_WAIT_MS = 1000;
/**
 * A beginning must be recorded, or what the context was told before would still count. So it waits longer, and takes
 * the lock from a holder that makes no progress; what that holder tells is then repeated.
 */
const BEGINNING_WAIT_MS = 3000;
const BEGINNING_PATIENCE_MS = 1000;
/** How many set-aside files are kept. */
const MAX_ASIDE = 4;
const ASIDE = /^session\.json(?:\.late)?\.(\d{8}T\d{9}Z)\.aside$/;

/** @input isSettled: asked while waiting; true if there is nothing left to record */
export function lockLedger(
  world: World,
  location: LedgerLocation,
  isBeginning: boolean,
  isSettled: () => boolean,
): LockAttempt {
  const path = ledgerPath(location);
  return acquireLock(world, {
    path: `${path}.lock`,
    ...(isBeginning ? { waitMs: BEGINNING_WAIT_MS, patienceMs: BEGINNING_PATIENCE_MS } : { waitMs: LOCK_WAIT_MS }),
    isSettled,
    cleanUpAfter: (nonce) => {
      removeQuietly(draftPath(path, nonce));
      recoverLate(location, nonce);
    },
  });
}

export type Present =
  /** `late`: the late records, already merged in. */
  | { readonly kind: "ledger"; readonly ledger: Ledger; readonly late: string | undefined }
  | { readonly kind: "unusable"; readonly reason: string };

/** The present ledger with its late records. One that isn't ours is set aside and reported, and a new one begun. */
export function readForWriting(world: World, location: LedgerLocation): Present {
  const file = lateFile(location);
  // It would block every record from now on.
  if (isForeign(file)) setAside(world, latePath(location), "codelia did not create it");
  const late = lateIn(location, file);
  const read = readLedgerSurely(location, late);
  const errno = read.kind === "foreign" ? setAside(world, ledgerPath(location), read.reason) : undefined;
  if (errno !== undefined) return { kind: "unusable", reason: errno };
  return { kind: "ledger", ledger: ledgerIn(location, read, late), late };
}

/** The ledger to go on from: the late records if there is no usable ledger. */
export function ledgerIn(location: LedgerLocation, read: LedgerRead, late: string | undefined): Ledger {
  if (read.kind === "ledger") return read.ledger;
  return late === undefined ? emptyLedger(treeOf(location) ?? "") : lateLedger(location, late, undefined);
}

function isForeign(file: TextRead | undefined): boolean {
  return file?.kind === "too-large" || (file?.kind === "unusable" && file.reason === "not-a-regular-file");
}

function setAside(world: World, path: string, reason: string): string | undefined {
  const aside = `${path}.${new Date(world.now()).toISOString().replace(/[-:.]/g, "")}.aside`;
  try {
    rename(world, path, aside);
  } catch (error) {
    return errnoOf(error);
  }
  world.warn(`the ledger '${path}' is set aside as '${aside}': ${reason}`);
  forgetOldAsides(dirname(path));
  return undefined;
}

/** The oldest by the time in their names. A directory that was set aside is kept with its contents. */
function forgetOldAsides(directory: string): void {
  const timeIn = (name: string) => ASIDE.exec(name)?.[1] ?? "";
  const asides = namesIn(directory).filter((name) => timeIn(name) !== "");
  const oldestFirst = asides.toSorted((left, right) => (timeIn(left) < timeIn(right) ? -1 : 1));
  for (const name of oldestFirst.slice(0, -MAX_ASIDE)) removeQuietly(join(directory, name));
}

/** What a ledger was made from. The late records and the archive are removed once it is published. */
export interface Sources {
  /** The tree of the previous ledger. */
  readonly tree: string;
  readonly late: string | undefined;
  /** The archive's path. */
  readonly archived?: string | undefined;
}

/** `broken`: another process took the lock. `failed`: a warning was given. */
export type Publication = "published" | "broken" | "failed";

export interface Draft {
  /** Makes the draft the ledger and releases the lock. */
  publish(): Publication;
  /** Removes the draft and releases the lock. */
  discard(): void;
}

/**
 * Writes the next ledger beside the present one, so that a full disk is noticed before anything is printed.
 *
 * @output the draft; if it can't be written, one whose `publish` fails
 * @effect a file named after the lock; a warning if it can't be written
 */
export function draftLedger(
  world: World,
  location: LedgerLocation,
  lock: Lock,
  ledger: Ledger,
  { tree, late, archived }: Sources,
): Draft {
  const path = ledgerPath(location);
  const draft = draftPath(path, lock.nonce);
  const drafted = createFile(draft, printLedger(ledger));
  if (drafted.kind === "failed") warnUnrecorded(world, location, drafted.errno);
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
      // Only while the lock is still ours.
      const isPublished = lock.finish(() => {
        rename(world, draft, path);
        if (ledger.tree !== tree) rememberTree(world, location, ledger.tree);
        if (late !== undefined) forgetLate(location, late, lock.nonce);
        if (archived !== undefined) removeQuietly(archived);
      });
      if (isPublished) return "published";
      removeQuietly(draft);
      return "broken";
    } catch (error) {
      removeQuietly(draft);
      warnUnrecorded(world, location, errnoOf(error));
      return "failed";
    }
  }
  return { publish, discard };
}

function draftPath(path: string, nonce: string): string {
  return `${path}.${nonce}.new`;
}

/**
 * Forgets everything that was recorded: the ledger, late records and archives. Works without the lock: a ledger that
 * the lock's holder is about to publish is invalid too.
 */
export function forgetLedger(world: World, location: LedgerLocation): void {
  const read = readLedger(location);
  retireTree(world, location, read.kind === "ledger" ? read.ledger.tree : undefined);
  removeQuietly(ledgerPath(location));
  removeQuietly(latePath(location));
  forgetArchive(location);
}

export function warnUnrecorded(world: World, location: LedgerLocation, reason: string): void {
  world.warn(`could not record in '${location.directory}' what was told (${reason}); it may be told again`);
}
