import type { Keep } from "../config/settings.ts";

/** The limits of the initial bundle. */
export interface BundleLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly keep: Keep;
}

/** How much of one file is shown. `shownBytes < sizeBytes` is a cut, and is said; 0 of a non-empty file is "left out". */
export interface Share {
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

/**
 * How many bytes of each file fit, given the sizes in the order root → cwd. The answer has the same order.
 * From the end that `keep` favours, files are taken whole until one crosses the limit; that one is cut, and
 * those after it are left out.
 */
export function shareBudget(sizes: readonly number[], limits: BundleLimits): Share[] {
  const shares: Share[] = sizes.map((sizeBytes) => ({ shownBytes: 0, sizeBytes }));
  const order = [...sizes.keys()];
  if (limits.keep === "nearest-first") order.reverse();
  let room = limits.maxBytes;
  for (const index of order.slice(0, limits.maxFiles)) {
    const sizeBytes = sizes[index] as number;
    const shownBytes = Math.min(sizeBytes, room);
    shares[index] = { shownBytes, sizeBytes };
    room -= shownBytes;
  }
  return shares;
}

/** The longest prefix of at most `limit` bytes that does not end inside a UTF-8 character. */
export function characterBoundary(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let end = limit;
  // At most three continuation bytes belong to one character; more of them are not UTF-8, and stay as they are.
  while (end > 0 && limit - end < 3 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return ((bytes[end] as number) & 0xc0) === 0x80 ? limit : end;
}
