import type { Dirent } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../core/paths.ts";
import { compareText } from "../../core/skills/order.ts";
import type { SkillLoadError, SkillScope } from "../../schema/skills.ts";
import { disk, errnoOf } from "../disk.ts";

export const SKILL_FILE = "SKILL.md";
export const MAX_DEPTH = 8;
export const MAX_ENTRIES = 20_000;

export interface FoundSkillFile {
  /** Canonical: whichever way it was reached, it is one skill. */
  readonly path: string;
  readonly scope: SkillScope;
  /** Directories between where it was found and the working directory. */
  readonly distance: number;
  /** What its directory is called: its own name first, then those of links that lead to it. */
  readonly directoryNames: Set<string>;
}

/** What the walks through the skill directories of one scope have in common. */
export interface Walk {
  readonly scope: SkillScope;
  /** Canonical; nothing outside is looked at. */
  readonly boundary: string;
  /** What the boundary is to the user. */
  readonly boundaryName: string;
  /** Directories of these names are not entered. */
  readonly ignored: ReadonlySet<string>;
  readonly found: Map<string, FoundSkillFile>;
  readonly errors: SkillLoadError[];
}

export interface Start {
  readonly directory: string;
  readonly distance: number;
}

interface Place {
  /** Canonical. */
  readonly path: string;
  readonly depth: number;
  readonly distance: number;
}

/** A link that leads to a directory. */
interface Link {
  readonly name: string;
  readonly to: Place;
}

/**
 * Finds every SKILL.md below the skill directories of one scope. Directories are entered by their own names before
 * any link is followed, and each once: so loops end, and what is found does not depend on which way was taken.
 *
 * @input  starts: canonical and inside the boundary, the nearest first
 * @output whether a limit ended it early
 * @effect `found` and `errors` grow; nothing is opened
 * @error  none
 */
export function walkSkills(walk: Walk, starts: readonly Start[]): boolean {
  const entered = new Set<string>();
  const links: Link[] = [];
  const limited = new Set<string>();
  let entriesLeft = MAX_ENTRIES;

  /** Each limit is reported once, where it first bit. */
  function limit(path: string, message: string): void {
    if (!limited.has(message)) walk.errors.push({ path, message });
    limited.add(message);
  }

  function enter(place: Place): void {
    if (entered.has(place.path) || entriesLeft < 0) return;
    if (place.depth > MAX_DEPTH) {
      return limit(place.path, `skills are looked for ${MAX_DEPTH} directories deep; this one is deeper`);
    }
    entered.add(place.path);
    const entries = listSorted(walk, place.path);
    for (const entry of entries) {
      if (--entriesLeft < 0) {
        return limit(place.path, `skills are looked for among ${MAX_ENTRIES} files and directories; here are more`);
      }
      const { name } = entry;
      if (name === SKILL_FILE) takeSkillFile(walk, place, entry);
      else if (entry.isFile() || walk.ignored.has(name)) continue;
      else if (entry.isDirectory()) enter(below(place, join(place.path, name)));
      else if (entry.isSymbolicLink()) links.push(...followLink(walk, place, name, entries));
    }
  }

  for (const { directory, distance } of starts) enter({ path: directory, depth: 0, distance });
  // Grows while links are found behind links.
  for (const { name, to } of links) {
    enter(to);
    walk.found.get(join(to.path, SKILL_FILE))?.directoryNames.add(name);
  }
  return limited.size > 0;
}

function listSorted(walk: Walk, path: string): Dirent[] {
  try {
    return disk.list(path).toSorted((left, right) => compareText(left.name, right.name));
  } catch (error) {
    walk.errors.push({ path, message: `it can't be looked into (${errnoOf(error)})` });
    return [];
  }
}

function below(place: Place, path: string): Place {
  return { path, depth: place.depth + 1, distance: place.distance };
}

function takeSkillFile(walk: Walk, place: Place, entry: Dirent): void {
  const path = join(place.path, SKILL_FILE);
  if (entry.isFile()) return addFound(walk, place, path);
  if (!entry.isSymbolicLink()) return refuse(walk, path, "it is not a regular file");
  const target = lookBehind(walk, path);
  if (target === undefined) return refuse(walk, path, "it is a link that leads nowhere");
  if (target.kind === "outside") return;
  if (target.kind !== "file") return refuse(walk, path, "it is not a regular file");
  if (basename(target.path) !== SKILL_FILE) {
    return refuse(walk, path, `it is a link to '${target.path}'; it must lead to a file of the same name`);
  }
  addFound(walk, place, target.path);
}

/** The skill is where its file really is: that directory holds what it refers to. */
function addFound(walk: Walk, place: Place, path: string): void {
  const linkedName = basename(place.path);
  const known = walk.found.get(path);
  if (known !== undefined) return void known.directoryNames.add(linkedName);
  const directoryNames = new Set([basename(dirname(path)), linkedName]);
  walk.found.set(path, { path, scope: walk.scope, distance: place.distance, directoryNames });
}

function followLink(walk: Walk, place: Place, name: string, siblings: readonly Dirent[]): Link[] {
  const path = join(place.path, name);
  const target = lookBehind(walk, path);
  if (target?.kind === "directory") return [{ name, to: below(place, target.path) }];
  // A skill's own files may be links to anything; elsewhere a dead link is a skill that someone misses.
  const isInsideSkill = siblings.some((sibling) => sibling.name === SKILL_FILE);
  if (target === undefined && !isInsideSkill) refuse(walk, path, "it is a link that leads nowhere");
  return [];
}

type Target = { readonly kind: "file" | "directory" | "other"; readonly path: string } | { readonly kind: "outside" };

/** Undefined where there is nothing. A file other than a SKILL.md may be anywhere: nothing is done with it. */
function lookBehind(walk: Walk, path: string): Target | undefined {
  try {
    const stats = disk.lookThrough(path);
    if (stats === undefined) return undefined;
    const real = disk.realPath(path);
    const kind = stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other";
    const isWanted = kind === "directory" || basename(path) === SKILL_FILE;
    if (!isWanted || isInside(walk.boundary, real)) return { kind, path: real };
    refuse(walk, path, `it is a link that leads outside ${walk.boundaryName}`);
    return { kind: "outside" };
  } catch (error) {
    if (errnoOf(error) === "ELOOP") return undefined;
    refuse(walk, path, `it can't be looked at (${errnoOf(error)})`);
    return { kind: "outside" };
  }
}

function refuse(walk: Walk, path: string, message: string): void {
  walk.errors.push({ path, message });
}
