import type { UnusableReason } from "../instructions/chain.ts";
import type { ReachedFile, ReachReason } from "../report/schema.ts";
import type { Found } from "./client.ts";

// What becomes of a file that a profile examines.

type Origin = ReachedFile["origin"];

export function loaded(path: string, origin: Origin, bytesTotal: number, bytesShown = bytesTotal): ReachedFile {
  return { path, origin, status: "loaded", reason: "reads-it", bytesShown, bytesTotal };
}

export function cut(path: string, origin: Origin, bytesTotal: number, bytesShown: number): ReachedFile {
  return { path, origin, status: "cut", reason: "budget", bytesShown, bytesTotal };
}

export function leftOut(path: string, origin: Origin, bytesTotal: number, reason: ReachReason = "budget"): ReachedFile {
  return { path, origin, status: "left-out", reason, bytesShown: 0, bytesTotal };
}

export function shadowed(
  path: string,
  origin: Origin,
  bytesTotal: number,
  reason: ReachReason,
  by: string,
): ReachedFile {
  return { path, origin, status: "shadowed", reason, by, bytesShown: 0, bytesTotal };
}

export function skipped(
  path: string,
  origin: Origin,
  bytesTotal: number,
  reason: ReachReason,
  by?: string,
): ReachedFile {
  const at = by === undefined ? {} : { by };
  return { path, origin, status: "skipped", reason, ...at, bytesShown: 0, bytesTotal };
}

/**
 * One row for each file, in order: several steps of a client may meet the same file. What was read decides, then a
 * refused import: allowing that one import would have the file read, whatever else is against it.
 */
export function onePerPath(files: readonly ReachedFile[]): ReachedFile[] {
  const rows = new Map<string, ReachedFile>();
  for (const file of files) {
    const known = rows.get(file.path);
    if (known === undefined || weightOf(file) > weightOf(known)) rows.set(file.path, file);
  }
  return files.filter((file) => rows.get(file.path) === file);
}

function weightOf({ bytesShown, reason, origin }: ReachedFile): number {
  if (bytesShown > 0) return 3;
  if (reason === "duplicate") return 2;
  return origin === "import" ? 1 : 0;
}

export function sizeOf(what: Found | undefined): number {
  return what?.kind === "file" ? what.version.sizeBytes : 0;
}

/** Whether a file could not be read: it has a size, but no bytes came. */
export function isUnread(bytes: Uint8Array, sizeBytes: number): boolean {
  return sizeBytes > 0 && bytes.length === 0;
}

export function whyUnusable(what: Exclude<Found, { kind: "file" }>): Exclude<UnusableReason, "link-outside-root"> {
  if (what.kind === "directory") return "not-a-regular-file";
  return what.kind === "loop" ? "dangling-link" : what.reason;
}
