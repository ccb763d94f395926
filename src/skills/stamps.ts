import type { Stats } from "node:fs";

/**
 * What tells that a file or directory is as it was, four numbers in a row for each: inode, size, when its text was
 * changed, and how much later anything was. The last is 0 for nearly all: thousands are written down, and read again.
 */
export const STAMP_LENGTH = 4;

export function addStamp(stamps: number[], { ino, size, mtimeMs, ctimeMs }: Stats): void {
  stamps.push(ino, size, mtimeMs, ctimeMs - mtimeMs);
}

export function isStamp(stamps: readonly number[], index: number, stats: Stats): boolean {
  const at = index * STAMP_LENGTH;
  return (
    stamps[at + 3] === stats.ctimeMs - stats.mtimeMs &&
    stamps[at + 2] === stats.mtimeMs &&
    stamps[at + 1] === stats.size &&
    stamps[at] === stats.ino
  );
}

export function mtimeOfStamp(stamps: readonly number[], index: number): number {
  return stamps[index * STAMP_LENGTH + 2] as number;
}

export function changeOfStamp(stamps: readonly number[], index: number): number {
  return mtimeOfStamp(stamps, index) + (stamps[index * STAMP_LENGTH + 3] as number);
}

/** When the youngest of them was changed. */
export function youngestOf(stamps: readonly number[]): number {
  let youngest = 0;
  for (let at = 2; at < stamps.length; at += STAMP_LENGTH) {
    const mtimeMs = stamps[at] as number;
    const ctimeMs = mtimeMs + (stamps[at + 1] as number);
    youngest = Math.max(youngest, mtimeMs, ctimeMs);
  }
  return youngest;
}
