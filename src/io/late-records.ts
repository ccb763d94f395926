import { findSession } from "../core/ledger.ts";
import { isLedger } from "../core/ledger-guard.ts";
import { mergeLedgers } from "../core/ledger-merge.ts";
import type { Ledger, Session } from "../schema/ledger.ts";
import { disk } from "./disk.ts";
import { readText, type TextRead } from "./read-file.ts";
import { ledgerPath, treeOf, type StatePlace } from "./state-place.ts";

/**
 * What was told by calls that could not have the ledger's lock in time: beside the ledger, one ledger a line, with what
 * was new in it. Anyone may add a line; whoever holds the lock next takes them all into the ledger. Who does not hold it
 * reads them before the ledger: after it, they may have moved there in between.
 */
export interface LateRecords {
  /** All of them as one. */
  readonly ledger: Ledger;
  /** As they stand there, without what is being written at the moment. */
  readonly text: string;
}

/** A file that would become larger is not added to. Several who find room at once make it larger all the same. */
export const MAX_LATE_BYTES = 1024 * 1024;
/** A file that is larger is none of ours. */
export const MAX_LATE_READ_BYTES = 4 * MAX_LATE_BYTES;

/**
 * @output undefined where there are none, as almost always
 * @effect none
 * @error  none: a line that is none of this place's says nothing
 */
export function readLate(place: StatePlace): LateRecords | undefined {
  return lateIn(place, lateFile(place));
}

export function lateIn(place: StatePlace, file: TextRead | undefined): LateRecords | undefined {
  const text = linesIn(file);
  const tree = text === undefined ? undefined : treeOf(place);
  if (text === undefined || tree === undefined) return undefined;
  return { ledger: mergeLines(text, tree), text };
}

/**
 * What they say of one session. Only lines that may be about it are parsed.
 *
 * @effect none
 * @error  none
 */
export function readLateSession(place: StatePlace, id: string): Session | undefined {
  const text = linesIn(lateFile(place));
  return text === undefined ? undefined : findSession(mergeLines(text, treeOf(place) ?? "", JSON.stringify(id)), id);
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

/** Without what is being written at the moment. */
export function linesIn(file: TextRead | undefined): string | undefined {
  return file?.kind === "text" ? file.text.slice(0, file.text.lastIndexOf("\n") + 1) : undefined;
}

function mergeLines(text: string, tree: string, naming = ""): Ledger {
  let merged: Ledger = { version: 1, tree, n: 0, sessions: {} };
  for (const line of text.split("\n")) {
    const record = line !== "" && line.includes(naming) ? parseLine(line) : undefined;
    if (record?.tree === tree) merged = mergeLedgers(merged, record);
  }
  return merged;
}

function parseLine(line: string): Ledger | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLedger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
