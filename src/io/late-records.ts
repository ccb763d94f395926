import { isLedger } from "../core/ledger-guard.ts";
import { mergeLedgers } from "../core/ledger-merge.ts";
import type { Ledger } from "../schema/ledger.ts";
import { disk } from "./disk.ts";
import { readText } from "./read-file.ts";
import { ledgerPath, treeOf, type StatePlace } from "./state-place.ts";

/**
 * What was told by calls that could not have the ledger's lock in time: beside the ledger, one ledger a line, with the
 * one context that was told. Anyone may add a line; whoever holds the lock next takes them all into the ledger. Who
 * does not hold it reads them before the ledger: after it, they may have moved there in between.
 */
export interface LateRecords {
  /** All of them as one. */
  readonly ledger: Ledger;
  /** As they stand there, without what is being written at the moment. */
  readonly text: string;
}

export const MAX_LATE_BYTES = 1024 * 1024;

/**
 * @output undefined where there are none, as almost always
 * @effect none
 * @error  none: a line that is none of this place's says nothing
 */
export function readLate(place: StatePlace): LateRecords | undefined {
  try {
    // Each call comes by here: a look costs less than the exception of opening what is not there.
    if (disk.look(`${ledgerPath(place)}.late`) === undefined) return undefined;
  } catch {
    return undefined;
  }
  const whole = textAt(latePath(place));
  if (whole === undefined) return undefined;
  const text = whole.slice(0, whole.lastIndexOf("\n") + 1);
  return { ledger: mergeLines(text, treeOf(place) ?? ""), text };
}

export function latePath(place: StatePlace): string {
  return `${ledgerPath(place)}.late`;
}

/** Undefined where there is no file that can be read, or one larger than any of ours. */
export function textAt(path: string): string | undefined {
  const read = readText(path, MAX_LATE_BYTES);
  return read.kind === "text" ? read.text : undefined;
}

function mergeLines(text: string, tree: string): Ledger {
  let merged: Ledger = { version: 1, tree, n: 0, sessions: {} };
  for (const line of text.split("\n")) {
    const record = line === "" ? undefined : parseLine(line);
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
