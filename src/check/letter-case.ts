import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";

const PAGE = /\.(?:mdx?|rst|html)$/i;
/** What stands at the top of many a project, in whatever letter case: no sign of a directory of pages. */
const OF_PROJECTS =
  /^(?:readme|changelog|changes|history|contributing|code[-_]of[-_]conduct|licen[cs]e|notice|security|support|authors|maintainers|governance|todo|roadmap)\b/i;

export interface NamedPlace {
  readonly path: (name: string) => string;
  /** All that stands in the directory. */
  readonly names: readonly string[];
  /** What is to be done about a file that would be lost to somebody under another name. */
  readonly whyNotRenamed: (name: string) => string | undefined;
}

/**
 * Names that are an instruction file's but for letter case: a system that tells cases apart finds none.
 *
 * @param found those that may be such; known: names of instruction files
 */
export function wrongLetterCase(place: NamedPlace, found: readonly string[], known: readonly string[]): Finding[] {
  const alike = byLetters(place.names);
  let areTherePages: boolean | undefined;
  // Where other pages stand beside it whose names are not all in capitals, `agents.md` is a page about agents.
  const isPage = (name: string) => !isShouted(name) && (areTherePages ??= hasPages(place.names, known));
  return found.flatMap((name) => {
    const right = known.find((other) => other !== name && isSame(other, name));
    if (right === undefined || known.includes(name) || isPage(name)) return [];
    const path = place.path(name);
    const message = `on most systems clients look for '${right}', and don't find it by this name`;
    const rival = alike.get(name.toLowerCase())?.find((other) => other !== name);
    const hindrance =
      rival === undefined ? place.whyNotRenamed(name) : `'${rival}' stands beside it: keep one of them, as '${right}'`;
    const fix = { kind: "rename", from: path, to: place.path(right) } as const;
    const said = hindrance === undefined ? { remedy: "rename it", fix } : { remedy: hindrance };
    return [finding("instructions-letter-case", { path, line: 1, message, ...said })];
  });
}

function hasPages(names: readonly string[], known: readonly string[]): boolean {
  return names.some((other) => {
    const isOfAgents = known.some((one) => isSame(one, other));
    return PAGE.test(other) && !isShouted(other) && !isOfAgents && !OF_PROJECTS.test(other);
  });
}

function byLetters(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const letters = name.toLowerCase();
    const group = groups.get(letters);
    if (group === undefined) groups.set(letters, [name]);
    else group.push(name);
  }
  return groups;
}

function isShouted(name: string): boolean {
  const stem = name.replace(/\.[^.]*$/, "");
  return stem === stem.toUpperCase();
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
