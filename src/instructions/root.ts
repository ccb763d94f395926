/** Where the search for instruction files begins, and why there. */
export interface Root {
  readonly directory: string;
  readonly reason: "flag" | "environment" | "config" | "marker" | "no-marker" | "plugin";
  /** The marker that was found, when one was. */
  readonly marker?: string;
}

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
  for (const marker of facts.markers) {
    if (marker !== ".codelia" || (!facts.codeliaIsGlobal && !facts.codeliaIsStateOnly)) return marker;
  }
  return undefined;
}
