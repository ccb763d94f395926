import type { ReachedFile, ReachReason } from "../report/reach.ts";

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
