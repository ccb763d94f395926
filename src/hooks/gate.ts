import type { InstructionFile } from "../instructions/chain.ts";
import { isKnown, isNamedOnly, isTold, type Pending } from "../instructions/pending.ts";
import type { DueFile } from "../instructions/tell.ts";
import type { Context } from "../ledger/schema.ts";
import { isInside } from "../lib/paths.ts";

/** A call that is about to write. */
export interface WritingCall {
  readonly paths: readonly string[];
  /** Identifies it, and is the same when the call is repeated. */
  readonly digest: () => number;
  /** When its hook was started, and now, by the wall clock. */
  readonly startedAt: number;
  readonly now: number;
}

/** No hook takes longer. */
const LONGEST_HOOK_MS = 10_000;
/** How many blocked calls are recognised per file when they are repeated. */
const MOST_CALLS = 64;

/**
 * The files that block a call: they apply to a path that it writes, and the context was neither given their text nor
 * seen to read it in this epoch, in any version. Calls that a model makes at once are all blocked: those that differ,
 * and those whose hooks were running when the text was given. A repeated call passes, whatever was read.
 *
 * @param files all that apply, root first
 */
export function gatingFiles(
  files: readonly InstructionFile[],
  pending: Pending,
  context: Context,
  call: WritingCall,
): DueFile[] {
  return files.flatMap((file): DueFile[] => {
    if (!call.paths.some((path) => isInside(file.directory, path))) return [];
    const held = isKnown(context, file.path) ? context.loadedVersions[file.path]?.held : undefined;
    const isAtOnce = held !== undefined && held.at > call.startedAt && held.at - call.startedAt < LONGEST_HOOK_MS;
    const isWithout = isUnknown(file, pending, context);
    if (!isWithout && !isAtOnce) return [];
    const digest = call.digest();
    if (isWithout && !isAtOnce && held?.calls.includes(digest) === true) return [{ file, state: "opened" }];
    const calls = [...new Set([...(held?.calls ?? []), digest])].slice(-MOST_CALLS);
    return [{ file, state: isWithout ? "closed" : "given-meanwhile", held: { at: call.now, calls } }];
  });
}

function isUnknown(file: InstructionFile, pending: Pending, context: Context): boolean {
  const isToldNow = pending.tell.includes(file);
  if (!isNamedOnly(context, file.path)) return isToldNow && !isKnown(context, file.path);
  return isToldNow || isTold(context, file.path, file.version) || pending.renewed.includes(file);
}

/** The files that apply to a written path, and that the context was told of and has not read. */
export function overdueFiles(
  files: readonly InstructionFile[],
  context: Context,
  written: readonly string[],
): DueFile[] {
  return files.flatMap((file): DueFile[] => {
    const isConcerned = written.some((path) => isInside(file.directory, path));
    return isConcerned && isNamedOnly(context, file.path) ? [{ file, state: "overdue" }] : [];
  });
}
