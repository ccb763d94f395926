import { isBlank } from "../lib/blank.ts";
import { characterBoundary } from "./bundle.ts";
import type { FileVersion, InstructionFile } from "./chain.ts";
import type { LazyFacts } from "./pending.ts";
import type { World } from "../world.ts";
import { readStart } from "../lib/read-file.ts";

/** An instruction file as it was when it was read. */
export interface ReadInstructions {
  readonly path: string;
  readonly directory: string;
  readonly realPath: string;
  readonly version: FileVersion;
  /** Its text without a byte order mark, as far as it was read. */
  readonly bytes: Uint8Array;
  /** The whole text's size. */
  readonly sizeBytes: number;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads the files of a chain.
 *
 * @input  limit: the most that could be shown of one file; facts: to tell a long blank file from a long one
 * @output those that can be read and are not blank, in the order given
 * @effect reads; a warning for each that can't be read or was replaced by another file meanwhile
 * @error  none
 */
export function readInstructions(
  world: World,
  files: readonly InstructionFile[],
  limit: number,
  facts: LazyFacts,
): ReadInstructions[] {
  return files.map((file) => readOne(world, file, limit, facts)).filter((read) => read !== undefined);
}

/** The part of a text that fits, not cut inside a character. */
export function firstBytes(read: ReadInstructions, limit: number): Uint8Array {
  return read.bytes.subarray(0, characterBoundary(read.bytes, limit));
}

function readOne(world: World, file: InstructionFile, limit: number, facts: LazyFacts): ReadInstructions | undefined {
  // Beyond the limit: a byte order mark, and the rest of a character that the limit may cut.
  const read = readStart(file.realPath, limit + BYTE_ORDER_MARK.length + 4);
  if (read.kind === "absent") return undefined;
  if (read.kind === "unusable") return refuse(world, file, read.reason);
  // The path was judged, then opened: what was opened must be what was judged.
  if (read.identity !== file.identity) return refuse(world, file, "it was replaced while it was read");
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => read.bytes[index] === byte);
  const skipped = hasMark ? BYTE_ORDER_MARK.length : 0;
  const bytes = read.bytes.subarray(skipped);
  // A start that says nothing may be all of it, or not.
  if (isBlank(read.bytes, read.bytes.length) && facts.isBlank(file)) return undefined;
  const { path, directory, realPath } = file;
  return { path, directory, realPath, version: read.version, bytes, sizeBytes: read.version.sizeBytes - skipped };
}

function refuse(world: World, file: InstructionFile, reason: string): undefined {
  world.warn(`'${file.path}' is passed over: ${reason}`);
}
