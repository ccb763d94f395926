/** Where the search for instruction files begins, and why there. */
export interface Root {
  readonly directory: string;
  readonly reason: "flag" | "environment" | "config" | "marker" | "no-marker";
  /** The marker that was found, when one was. */
  readonly marker?: string;
}

export const DEFAULT_MARKERS: readonly string[] = [".codelia", ".git", ".jj"];

/** What stands in one directory on the way up. */
export interface RungFacts {
  /** The markers that exist here, in the configured order. */
  readonly markers: readonly string[];
  /** This directory's `.codelia` is the user's global one. */
  readonly codeliaIsGlobal: boolean;
  /** This directory's `.codelia` was made for the ledger alone, and holds no config. */
  readonly codeliaIsStateOnly: boolean;
}

/** The marker that makes this directory a root, or undefined. Our own state and the global directory never do. */
export function rootMarker(facts: RungFacts): string | undefined {
  return facts.markers.find((marker) => marker !== ".codelia" || (!facts.codeliaIsGlobal && !facts.codeliaIsStateOnly));
}

/** Whether `.codelia` must be marked `state-only`, lest creating it changed the root that later calls find. */
export function needsStateOnlyMark(rootHoldsMarkers: readonly string[]): boolean {
  return !rootHoldsMarkers.some((marker) => DEFAULT_MARKERS.includes(marker));
}
