declare const CODELIA_BUILD: string | undefined;

/**
 * Different for every build: what one build parsed and cached, no other build uses. Run from source it is always the
 * same.
 */
export const BUILD = typeof CODELIA_BUILD === "string" ? CODELIA_BUILD : "source";
