import type { Finding } from "../findings.ts";
import { finding } from "../rules.ts";

const PAGE = /\.(?:mdx?|rst|html)$/i;

export interface NamedPlace {
  readonly directory: string;
  readonly path: (name: string) => string;
  /** All that stands in the directory. */
  readonly names: readonly string[];
}

/**
 * Names that are an instruction file's but for letter case: a system that tells cases apart finds none.
 *
 * @param found those that may be such; known: names of instruction files
 */
export function wrongLetterCase(place: NamedPlace, found: readonly string[], known: readonly string[]): Finding[] {
  return found.flatMap((name) => {
    const right = known.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
    if (right === undefined || known.includes(name) || isPage(name, place.names, known)) return [];
    const path = place.path(name);
    const message = `on most systems clients look for '${right}', and don't find it by this name`;
    const isFree = !place.names.includes(right);
    const fix = isFree ? ({ kind: "rename", from: path, to: place.path(right) } as const) : undefined;
    const remedy = isFree ? "rename it" : `there is a '${right}' beside it: remove one of them`;
    return [finding("instructions-letter-case", { path, line: 1, message, remedy, ...(fix && { fix }) })];
  });
}

/** Where other pages stand beside it whose names are not all in capitals, `agents.md` is a page about agents. */
function isPage(name: string, names: readonly string[], known: readonly string[]): boolean {
  const isShouted = (other: string) => other.replace(/\.[^.]*$/, "") === other.replace(/\.[^.]*$/, "").toUpperCase();
  if (isShouted(name)) return false;
  return names.some((other) => other !== name && PAGE.test(other) && !isShouted(other) && !known.includes(other));
}
