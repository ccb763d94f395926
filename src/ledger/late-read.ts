import { emptyLedger, findSession } from "./contexts.ts";
import { isLedger } from "./text.ts";
import { mergeLedgers } from "./merge.ts";
import { isOfLedger } from "./tree.ts";
import type { Ledger, Session } from "./schema.ts";
import { disk } from "../lib/fs.ts";
import { readText, type TextRead } from "../lib/read-file.ts";
import { inodeOf, ledgerPath, treeOf, type StatePlace } from "./place.ts";

/** A file that would become larger is not added to. Several who find room at once make it larger all the same. */
export const MAX_LATE_BYTES = 1024 * 1024;
/** A file that is larger is none of ours. */
export const MAX_LATE_READ_BYTES = 4 * MAX_LATE_BYTES;

/**
 * What was told by calls that could not have the ledger's lock in time: beside the ledger, one ledger a line, with what
 * was new in it. Anyone may add a line; whoever holds the lock next takes them all into the ledger. Who does not hold it
 * reads them before the ledger: after it, they may have moved there in between.
 *
 * @output the lines, without what is being written at the moment; undefined where there are none, as almost always
 * @effect none
 * @error  none
 */
export function readLate(place: StatePlace): string | undefined {
  return lateIn(place, lateFile(place));
}

/** None if the directory can't be looked at: the lines would be removed without being taken in. */
export function lateIn(place: StatePlace, file: TextRead | undefined): string | undefined {
  return file?.kind !== "text" || treeOf(place) === undefined
    ? undefined
    : file.text.slice(0, file.text.lastIndexOf("\n") + 1);
}

/**
 * All of them as one.
 *
 * @input  tree: of the ledger they belong to, if there is one; naming: only lines that contain this are parsed
 * @output the lines that belong to that ledger, merged
 */
export function lateLedger(place: StatePlace, lines: string, tree: string | undefined, naming = ""): Ledger {
  const inode = inodeOf(place);
  let merged = emptyLedger(tree ?? treeOf(place) ?? "");
  for (const line of lines.split("\n")) {
    const record = line !== "" && line.includes(naming) ? parseLine(line) : undefined;
    if (record !== undefined && isOfLedger(record.tree, merged.tree, inode)) {
      merged = { ...mergeLedgers(merged, record), tree: merged.tree };
    }
  }
  return merged;
}

/** What they say of one session. Only lines that may be about it are parsed. */
export function lateSession(
  place: StatePlace,
  lines: string,
  tree: string | undefined,
  id: string,
): Session | undefined {
  return findSession(lateLedger(place, lines, tree, JSON.stringify(id)), id);
}

/**
 * What stands where they belong, ours or not.
 *
 * @effect none
 * @error  none
 */
export function lateFile(place: StatePlace): TextRead | undefined {
  const path = latePath(place);
  try {
    // Each call comes by here: a look costs less than the exception of opening what is not there.
    return disk.look(path) === undefined ? undefined : readText(path, MAX_LATE_READ_BYTES);
  } catch {
    return undefined;
  }
}

export function latePath(place: StatePlace): string {
  return `${ledgerPath(place)}.late`;
}

function parseLine(line: string): Ledger | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLedger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
