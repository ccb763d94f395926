import type { Ledger } from "../schema/ledger.ts";
import { appendToFile } from "./append-to-file.ts";
import { disk } from "./disk.ts";
import { latePath, MAX_LATE_BYTES, textAt, type LateRecords } from "./late-records.ts";
import type { StatePlace } from "./state-place.ts";
import { removeQuietly } from "./write-file.ts";

const MAX_ATTEMPTS = 3;

/**
 * @output whether it will be in the ledger
 * @effect a line more
 * @error  none
 */
export function addLate(place: StatePlace, record: Ledger): boolean {
  const path = latePath(place);
  const line = `${JSON.stringify(record)}\n`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!hasRoom(path, new TextEncoder().encode(line).length)) return false;
    // One that was written in part, on a full disk, must not take this one with it.
    if (appendToFile(path, `\n${line}`).kind === "failed") return false;
    // Written into a file that was just taken away, it would be lost; in the ledger twice, it does no harm.
    if (textAt(path)?.includes(line) === true) return true;
  }
  return false;
}

/**
 * Forgets records that are in the ledger now, and no line that was added since.
 *
 * @input  nonce: of the lock, which the caller holds
 * @error  none: what can't be forgotten is taken into the ledger once more
 */
export function forgetLate(place: StatePlace, { text }: LateRecords, nonce: string): void {
  const path = latePath(place);
  const taken = `${path}.${nonce}.tmp`;
  try {
    disk.rename(path, taken);
  } catch {
    return;
  }
  const last = textAt(taken) ?? "";
  const added = last.startsWith(text) ? last.slice(text.length) : last;
  if (added !== "") appendToFile(path, added);
  removeQuietly(taken);
}

/** Not in what is no file: to open a pipe that nobody reads would take for ever. */
function hasRoom(path: string, bytes: number): boolean {
  try {
    const stats = disk.look(path);
    return stats === undefined || (stats.isFile() && stats.size + bytes < MAX_LATE_BYTES);
  } catch {
    return false;
  }
}
