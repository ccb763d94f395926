import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import { appendToFile, removeQuietly } from "../lib/write-file.ts";
import type { LedgerLocation } from "./location.ts";
import { latePath, MAX_LATE_BYTES, MAX_LATE_READ_BYTES, readLate } from "./read.ts";
import type { Ledger } from "./schema.ts";

/**
 * The file of late records: calls that could not get the ledger's lock in time append lines to it. Any process may
 * append. The next holder of the lock merges all lines into the ledger and removes them.
 */

const MAX_ATTEMPTS = 3;

/** @output whether it will get into the ledger */
export function addLate(location: LedgerLocation, record: Ledger): boolean {
  const path = latePath(location);
  const line = `${JSON.stringify(record)}\n`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!appendLines(path, line, MAX_LATE_BYTES)) return false;
    // In a file that was just taken away it would be lost. Recording it twice does no harm.
    if (textAt(path)?.includes(line) === true) return true;
  }
  return false;
}

/** Whether lines that name a session were added after `since` was read. */
export function isNamedSince(location: LedgerLocation, id: string, since = ""): boolean {
  return addedSince(readLate(location) ?? "", since).includes(JSON.stringify(id));
}

/**
 * Removes lines that are in the ledger now, but none added since. Lines that can't be removed are merged once more.
 *
 * @input  nonce: of the lock, which the caller holds
 * @effect the file; another one, named after the lock, if the process is killed: see `recoverLate`
 */
export function forgetLate(location: LedgerLocation, lines: string, nonce: string): void {
  const [path, taken] = [latePath(location), takenPath(location, nonce)];
  if (!renameQuietly(path, taken)) return;
  const last = textAt(taken);
  if (last !== undefined && appendLines(path, addedSince(last, lines), MAX_LATE_READ_BYTES)) removeQuietly(taken);
  else renameQuietly(taken, path);
}

/**
 * Puts back what a lock holder had taken away when it died: nobody knows which lines were added since.
 *
 * @input  nonce: of the dead holder's lock
 */
export function recoverLate(location: LedgerLocation, nonce: string): void {
  const taken = takenPath(location, nonce);
  const text = textAt(taken);
  if (text !== undefined && appendLines(latePath(location), text, MAX_LATE_READ_BYTES)) removeQuietly(taken);
}

function takenPath(location: LedgerLocation, nonce: string): string {
  return `${latePath(location)}.${nonce}.tmp`;
}

function addedSince(text: string, before: string): string {
  return text.startsWith(before) ? text.slice(before.length) : text;
}

/**
 * Appends to a file of lines that has room; follows no link. Begins on a new line, in case a full disk cut the previous
 * line short.
 *
 * @output whether all of it was written
 */
export function appendLines(path: string, text: string, maxBytes: number): boolean {
  if (text === "") return true;
  const { length } = new TextEncoder().encode(text);
  return hasRoom(path, length, maxBytes) && appendToFile(path, `\n${text}`).kind === "written";
}

/** Only regular files: opening a pipe without a reader would block for ever. */
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
