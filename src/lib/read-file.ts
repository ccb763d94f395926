import type { Stats } from "node:fs";
import { disk, identityOf, obstacleOf, versionOf, type FileVersion, type Obstacle } from "./fs.ts";
import { lstatOf, realPathOf } from "./path-facts.ts";
import { isInside } from "./paths.ts";
import { lossyText } from "./text.ts";

export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly version: FileVersion; readonly identity: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unusable"; readonly reason: "not-a-regular-file" | "no-permission" | "unreadable" };

/** Why a file can't be read: the rest of a sentence that begins with the file. */
export const READ_FAILURES = {
  "not-a-regular-file": "is not a regular file",
  "no-permission": "can't be read: permission denied",
  unreadable: "can't be read",
} as const;

/**
 * Reads the first bytes of a regular file: never follows a link in the last component, never blocks, never opens a
 * device, never reads more than the limit.
 *
 * @input  path: with its links resolved; limit: the most bytes to read
 * @output the bytes with the version and identity of the file they came from, or why there are none
 */
export function readStart(path: string, limit: number): FileRead {
  return withFile(path, (descriptor, stats) => {
    const bytes = new Uint8Array(Math.min(limit, stats.size));
    const filled = fill(descriptor, bytes, 0);
    return {
      kind: "read",
      bytes: bytes.subarray(0, filled),
      version: versionOf(stats),
      identity: identityOf(stats),
    };
  });
}

export type TextRead =
  | { readonly kind: "text"; readonly text: string; readonly stats: Stats }
  | { readonly kind: "too-large" }
  | Exclude<FileRead, { kind: "read" }>;

/**
 * Reads a whole file, ours or the kernel's, with the same precautions. A file larger than `limit` is not read at all.
 */
export function readText(path: string, limit: number): TextRead {
  return withFile(path, (descriptor, stats) =>
    stats.size > limit ? { kind: "too-large" } : { kind: "text", text: disk.readText(descriptor), stats },
  );
}

/** The text of the file that a path leads to; undefined if it can't be read or is larger. */
export function textAt(path: string, limit: number): string | undefined {
  const realPath = realPathOf(path);
  const read = realPath === undefined ? undefined : readText(realPath, limit);
  return read?.kind === "text" ? read.text : undefined;
}

const MAX_COMPARED_BYTES = 256 * 1024;
/** The most that blanks around a copy may add; files whose sizes differ by more are not read. */
const MAX_BLANK_BYTES = 64;

/** Whether two files have the same text, apart from blanks around it. Links and larger files are not compared. */
export function haveSameText(path: string, other: string): boolean {
  const [size, otherSize] = [lstatOf(path)?.size, lstatOf(other)?.size];
  if (size === undefined || otherSize === undefined || Math.abs(size - otherSize) > MAX_BLANK_BYTES) return false;
  const [one, two] = [readText(path, MAX_COMPARED_BYTES), readText(other, MAX_COMPARED_BYTES)];
  if (one.kind !== "text" || two.kind !== "text") return false;
  const text = one.text.trim();
  return text !== "" && text === two.text.trim();
}

/** The text at a path, if it leads to a file in a directory, whose path is canonical. */
export function textWithin(directory: string, path: string, limit: number): string | undefined {
  const realPath = realPathOf(path);
  return realPath !== undefined && isInside(directory, realPath) ? textAt(realPath, limit) : undefined;
}

/** The last lines of a file that a path leads to, at most so many bytes; undefined if it can't be read. */
export function endAt(path: string, limit: number): string | undefined {
  const realPath = realPathOf(path);
  if (realPath === undefined) return undefined;
  const read = withFile(realPath, (descriptor, { size }) => {
    const bytes = new Uint8Array(Math.min(limit, size));
    const filled = fill(descriptor, bytes, 0, size - bytes.length);
    return { kind: "end" as const, text: lossyText(bytes.subarray(0, filled)) };
  });
  return read.kind === "end" ? read.text : undefined;
}

/** Opens a regular file, and always closes it. */
function withFile<Read>(
  path: string,
  read: (descriptor: number, stats: Stats) => Read,
): Read | Exclude<FileRead, { kind: "read" }> {
  let descriptor: number;
  try {
    descriptor = disk.openToRead(path);
  } catch (error) {
    return whyNot(obstacleOf(error));
  }
  try {
    const stats = disk.facts(descriptor);
    return stats.isFile() ? read(descriptor, stats) : { kind: "unusable", reason: "not-a-regular-file" };
  } catch {
    // It was opened, so it exists, whatever the error says.
    return { kind: "unusable", reason: "unreadable" };
  } finally {
    closeQuietly(descriptor);
  }
}

/**
 * Reads until the buffer is full or the file ends. `from`: the position in the file, if not where the last read ended.
 */
export function fill(descriptor: number, bytes: Uint8Array, already: number, from?: number): number {
  let filled = already;
  while (filled < bytes.length) {
    const at = from === undefined ? null : from + filled;
    const count = disk.read(descriptor, bytes.subarray(filled), at);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

export function closeQuietly(descriptor: number): void {
  try {
    disk.close(descriptor);
  } catch {
    // Reading or writing is complete; a failed close doesn't change that.
  }
}

export function whyNot(obstacle: Obstacle): Exclude<FileRead, { kind: "read" }> {
  if (obstacle === "absent") return { kind: "absent" };
  // Opening a link fails with the same error as a loop.
  if (obstacle === "loop" || obstacle === "special") return { kind: "unusable", reason: "not-a-regular-file" };
  return { kind: "unusable", reason: obstacle };
}

/** Why a file can't be read, as a sentence about it. */
export function whyUnread(read: Exclude<FileRead, { kind: "read" }>): string {
  return read.kind === "absent" ? "it has gone" : `it ${READ_FAILURES[read.reason]}`;
}
