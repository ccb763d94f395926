declare const CODELIA_BUILD: string | undefined;

/**
 * Another one for every build: what the rules of one have made of a file, and remembered, is nothing to another. Run from
 * its source it is always the same.
 */
export const BUILD = typeof CODELIA_BUILD === "string" ? CODELIA_BUILD : "source";
