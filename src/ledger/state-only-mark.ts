import { DEFAULT_MARKERS } from "../config/default-markers.ts";

/**
 * Whether `.codelia` must be marked `state-only`, lest creating it changed the root that later calls find: unless
 * another marker makes this directory a root, for calls with our markers and for those with the default ones.
 */
export function needsStateOnlyMark(present: readonly string[], markers: readonly string[]): boolean {
  return !present.some(
    (marker) => marker !== ".codelia" && DEFAULT_MARKERS.includes(marker) && markers.includes(marker),
  );
}
