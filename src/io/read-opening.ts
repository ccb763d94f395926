import type { Stats } from "node:fs";
import { disk, errnoOf } from "./disk.ts";
import { closeQuietly, fill, refusal, type FileRead } from "./read-file.ts";

export type OpeningRead =
  | { readonly kind: "read"; readonly text: string; readonly isWhole: boolean; readonly stats: Stats }
  | Exclude<FileRead, { kind: "read" }>;

/** The first kilobytes hold what is looked for in nearly every file. */
const FIRST_BYTES = 2048;
/** One buffer for all files: thousands are read in a row. */
let shared = new Uint8Array(0);
let decoder: TextDecoder | undefined;

/**
 * The beginning of a file as text, with the same cautions.
 *
 * @input  limit: bytes to read at most; isEnough: whether these first ones will do
 * @effect none
 * @error  none
 */
export function readOpening(path: string, limit: number, isEnough: (text: string) => boolean): OpeningRead {
  let descriptor = -1;
  try {
    descriptor = disk.openToRead(path);
    const stats = disk.facts(descriptor);
    if (!stats.isFile()) return { kind: "unusable", reason: "not-a-regular-file" };
    const first = disk.read(descriptor, sharedBytes(Math.min(limit, FIRST_BYTES)));
    const text = decode(first);
    if (first >= stats.size || isEnough(text)) return { kind: "read", text, isWhole: first >= stats.size, stats };
    const begun = shared.slice(0, first);
    sharedBytes(limit).set(begun);
    const filled = fill(descriptor, sharedBytes(limit), first);
    return { kind: "read", text: decode(filled), isWhole: filled >= stats.size, stats };
  } catch (error) {
    return refusal(errnoOf(error));
  } finally {
    if (descriptor >= 0) closeQuietly(descriptor);
  }
}

function sharedBytes(length: number): Uint8Array {
  if (shared.length < length) shared = new Uint8Array(length);
  return shared.length === length ? shared : shared.subarray(0, length);
}

function decode(length: number): string {
  decoder ??= new TextDecoder();
  return decoder.decode(shared.subarray(0, length));
}
