import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import { appendToFile, removeQuietly } from "../lib/write-file.ts";
import type { StatePlace } from "./place.ts";
import { latePath, MAX_LATE_BYTES, MAX_LATE_READ_BYTES, readLate } from "./read.ts";
import type { Ledger } from "./schema.ts";

/**
 * The file of late records: lines that calls add which could not have the ledger's lock in time. Anyone may add a line.
 * Whoever holds the lock next takes all of them into the ledger and removes them.
 */

const MAX_ATTEMPTS = 3;

/** @output whether it will be in the ledger */
export function addLate(place: StatePlace, record: Ledger): boolean {
  const path = latePath(place);
  const line = `${JSON.stringify(record)}\n`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!append(path, line, MAX_LATE_BYTES)) return false;
    // In a file that was just taken away it would be lost. Being in the ledger twice does no harm.
    if (textAt(path)?.includes(line) === true) return true;
  }
  return false;
}

/** Whether lines that name a session were added since `since` was read. */
export function isNamedSince(place: StatePlace, id: string, since = ""): boolean {
  return addedSince(readLate(place) ?? "", since).includes(JSON.stringify(id));
}

/**
 * Removes lines that are in the ledger now, but none that was added since. Lines that can't be removed are taken into the
 * ledger once more.
 *
 * @input  nonce: of the lock, which the caller holds
 * @effect the file; another one, named after the lock, if the process is killed: see `recoverLate`
 */
export function forgetLate(place: StatePlace, lines: string, nonce: string): void {
  const [path, taken] = [latePath(place), takenPath(place, nonce)];
  if (!renameQuietly(path, taken)) return;
  const last = textAt(taken);
  if (last !== undefined && append(path, addedSince(last, lines), MAX_LATE_READ_BYTES)) removeQuietly(taken);
  else renameQuietly(taken, path);
}

/**
 * Puts back what a holder of the lock had taken away when it died: nobody knows which lines were added since.
 *
 * @input  nonce: of the dead holder's lock
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

/** Begins on a new line: a line that a full disk cut short must not take this one with it. */
function append(path: string, text: string, maxBytes: number): boolean {
  if (text === "") return true;
  const { length } = new TextEncoder().encode(text);
  return hasRoom(path, length, maxBytes) && appendToFile(path, `\n${text}`).kind === "written";
}

/** Only regular files: opening a pipe that nobody reads would wait for ever. */
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
