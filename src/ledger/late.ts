import type { Ledger } from "./schema.ts";
import { appendToFile } from "../lib/write-file.ts";
import { disk } from "../lib/fs.ts";
import { latePath, MAX_LATE_BYTES, MAX_LATE_READ_BYTES, readLate } from "./late-read.ts";
import { readText } from "../lib/read-file.ts";
import type { StatePlace } from "./place.ts";
import { removeQuietly } from "../lib/write-file.ts";

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
    if (!append(path, line, MAX_LATE_BYTES)) return false;
    // Written into a file that was just taken away, it would be lost; in the ledger twice, it does no harm.
    if (textAt(path)?.includes(line) === true) return true;
  }
  return false;
}

/**
 * Whether lines were added that name a session.
 *
 * @input  since: what was read before
 * @effect none
 * @error  none
 */
export function isNamedSince(place: StatePlace, id: string, since = ""): boolean {
  return addedSince(readLate(place) ?? "", since).includes(JSON.stringify(id));
}

/**
 * Forgets records that are in the ledger now, and no line that was added since.
 *
 * @input  lines: those; nonce: of the lock, which the caller holds
 * @effect the file; one named after the lock, if the process is killed: see `recoverLate`
 * @error  none: what can't be forgotten is taken into the ledger once more
 */
export function forgetLate(place: StatePlace, lines: string, nonce: string): void {
  const [path, taken] = [latePath(place), takenPath(place, nonce)];
  if (!renameQuietly(path, taken)) return;
  const last = textAt(taken);
  if (last !== undefined && append(path, addedSince(last, lines), MAX_LATE_READ_BYTES)) removeQuietly(taken);
  else renameQuietly(taken, path);
}

/**
 * Brings back what a holder of the lock had taken away when it died: nobody knows which lines were added since.
 *
 * @input  nonce: of its lock
 * @effect the file, and the one named after the lock
 * @error  none
 */
export function recoverLate(place: StatePlace, nonce: string): void {
  const taken = takenPath(place, nonce);
  const text = textAt(taken);
  if (text !== undefined && append(latePath(place), text, MAX_LATE_READ_BYTES)) removeQuietly(taken);
}

function takenPath(place: StatePlace, nonce: string): string {
  return `${latePath(place)}.${nonce}.tmp`;
}

function addedSince(text: string, before: string): string {
  return text.startsWith(before) ? text.slice(before.length) : text;
}

/** On a line of its own: one that was written in part, on a full disk, must not take this one with it. */
function append(path: string, text: string, maxBytes: number): boolean {
  if (text === "") return true;
  return (
    hasRoom(path, new TextEncoder().encode(text).length, maxBytes) && appendToFile(path, `\n${text}`).kind === "written"
  );
}

/** Not in what is no file: to open a pipe that nobody reads would take for ever. */
function hasRoom(path: string, bytes: number, maxBytes: number): boolean {
  try {
    const stats = disk.look(path);
    return stats === undefined || (stats.isFile() && stats.size + bytes < maxBytes);
  } catch {
    return false;
  }
}

function textAt(path: string): string | undefined {
  const read = readText(path, MAX_LATE_READ_BYTES);
  return read.kind === "text" ? read.text : undefined;
}

function renameQuietly(from: string, to: string): boolean {
  try {
    disk.rename(from, to);
    return true;
  } catch {
    return false;
  }
}
