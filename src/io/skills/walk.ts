import type { Dirent } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { isInside } from "../../core/paths.ts";
import type { RuleId } from "../../core/rules.ts";
import { compareText } from "../../core/skills/order.ts";
import type { SkillProblem } from "../../core/skills/skill.ts";
import { disk, errnoOf } from "../disk.ts";
import { headerAt, type HeaderRead } from "./header-at.ts";
import { describeTarget, linkTarget, type LinkTarget } from "./link-target.ts";
import { addStamp } from "./stamps.ts";

export const SKILL_FILE = "SKILL.md";
const SKILL_FILE_FOLDED = SKILL_FILE.toLowerCase();
const ALLOW = "let its readers read it";
export const MAX_DEPTH = 8;
export const MAX_ENTRIES = 20_000;

export interface FoundSkillFile {
  /** Canonical: whichever way it was reached, it is one skill. */
  readonly path: string;
  readonly start: Start;
  /** What its directory is called: its own name first, then those of links that lead to it. */
  readonly directoryNames: string[];
  readonly header: HeaderRead;
}

/** What a walk went by, beside the files it found: as long as all of it is as it was, another one finds the same. */
export interface Trail {
  readonly directories: string[];
  readonly directoryStamps: number[];
  readonly links: string[];
  readonly targets: string[];
  /** It met something that can change and does not show it. */
  isUnrepeatable: boolean;
}

/** What the walks through the skill directories of one scope have in common. */
export interface Walk {
  /** Canonical; nothing outside is looked at. */
  readonly boundary: string;
  /** What the boundary is to the user. */
  readonly boundaryName: string;
  /** Directories of these names are not entered. */
  readonly ignored: ReadonlySet<string>;
  readonly found: Map<string, FoundSkillFile>;
  readonly errors: SkillProblem[];
  readonly trail: Trail;
}

/** A directory that skills are looked for in. */
export interface Start {
  /** Canonical and inside the boundary. */
  readonly directory: string;
  /** Its place among all starts. */
  readonly index: number;
}

interface Place {
  /** Canonical. */
  readonly path: string;
  /** What it is called: its own name first, then that of the link it was reached by. */
  readonly names: string[];
  readonly depth: number;
  readonly start: Start;
}

/**
 * Finds the skills below the skill directories of one scope. A directory with a SKILL.md is a skill, and what is below
 * it is the skill's own: examples and templates hold files of that name too. Directories are entered by their own
 * names before any link is followed, and each once: so loops end, and what is found does not depend on which way was
 * taken.
 *
 * @input  starts: canonical and inside the boundary, the nearest first
 * @output whether a limit ended it early
 * @effect `found`, `errors` and `trail` grow; reads the beginnings of files
 * @error  none
 */
export function walkSkills(walk: Walk, starts: readonly Start[]): boolean {
  const entered = new Set<string>();
  /** Directories that links lead to. */
  const links: Place[] = [];
  const limited = new Set<string>();
  let entriesLeft = MAX_ENTRIES;

  /** Each limit is reported once, where it first bit. */
  function limit(path: string, message: string): void {
    if (!limited.has(message)) refuse(walk, path, message, "skill-limit");
    limited.add(message);
  }

  function visit(place: Place): void {
    if (entriesLeft < 0) return;
    if (place.depth > MAX_DEPTH) {
      return limit(place.path, `skills are looked for ${MAX_DEPTH} directories deep; this one is deeper: move it up`);
    }
    const isSkill = takeSkillFile(walk, place);
    if (!isSkill || place.depth === 0) enter(place, isSkill);
  }

  function enter(place: Place, isSkill: boolean): void {
    if (entered.has(place.path)) return;
    entered.add(place.path);
    for (const entry of list(walk, place.path, entriesLeft)) {
      if (--entriesLeft < 0) {
        const message = `skills are looked for among ${MAX_ENTRIES} files and directories; here are more: move some away`;
        return limit(place.path, message);
      }
      const { name } = entry;
      if (entry.isDirectory()) {
        if (!walk.ignored.has(name)) visit(below(place, place.path + sep + name, [name]));
      } else if (entry.isSymbolicLink() && name !== SKILL_FILE && !walk.ignored.has(name)) {
        const to = followLink(walk, place, name);
        if (to !== undefined) links.push(to);
      } else if (name === SKILL_FILE) {
        // It was not there a moment ago, or it would not be listed.
        if (!isSkill) walk.trail.isUnrepeatable = true;
      } else if (name.length === SKILL_FILE.length && entry.isFile() && name.toLowerCase() === SKILL_FILE_FOLDED) {
        refuse(walk, place.path + sep + name, `it is no skill unless it is called '${SKILL_FILE}'; rename it`);
      }
    }
  }

  for (const start of starts) {
    visit({ path: start.directory, names: [basename(start.directory)], depth: 0, start });
  }
  // Grows while links are found behind links.
  for (const place of links) visit(place);
  return limited.size > 0;
}

/** Sorted only where a limit decides which entries count: the answer is sorted in the end. */
function list(walk: Walk, path: string, entriesLeft: number): readonly Dirent[] {
  const { trail } = walk;
  try {
    // Before it is listed: what comes in meanwhile makes it another one.
    const stats = disk.look(path);
    if (stats === undefined) trail.isUnrepeatable = true;
    else addStamp(trail.directoryStamps, stats);
    trail.directories.push(path);
    const entries = disk.list(path);
    return entries.length <= entriesLeft
      ? entries
      : entries.toSorted((left, right) => compareText(left.name, right.name));
  } catch (error) {
    trail.isUnrepeatable = true;
    const errno = errnoOf(error);
    // Bytes that are no UTF-8 came as U+FFFD, and nothing has that name.
    const isNameLost = errno === "ENOENT" && path.includes("\uFFFD");
    const remedy = isNameLost ? "its name is not UTF-8; rename it" : `${ALLOW} and enter it`;
    refuse(walk, path, `it can't be looked into (${errno}); ${remedy}`);
    return [];
  }
}

function below(place: Place, path: string, names: string[]): Place {
  return { path, names, depth: place.depth + 1, start: place.start };
}

/** Whether the directory has a SKILL.md, be it of any use or none. */
function takeSkillFile(walk: Walk, { path: directory, names, start }: Place): boolean {
  const path = directory + sep + SKILL_FILE;
  if (addNames(walk, path, names)) return true;
  const header = headerAt(path);
  if (header.kind === "absent") return false;
  if (header.kind === "unusable") walk.trail.isUnrepeatable = true;
  if (header.kind === "special") takeSpecialFile(walk, path, names, start);
  else addFound(walk, path, names, start, header);
  return true;
}

function takeSpecialFile(walk: Walk, path: string, names: readonly string[], start: Start): void {
  const target = follow(walk, path);
  if (target.kind === "nothing") return refuseDangling(walk, path);
  if (target.kind === "unseen") return refuseUnseen(walk, path, target.errno);
  if (!isInside(walk.boundary, target.path)) return refuseOutside(walk, path);
  if (target.kind !== "file" || target.path === path) {
    return refuse(walk, path, "it is not a regular file; put one in its place");
  }
  if (basename(target.path) !== SKILL_FILE) {
    const message = `it is a link to '${target.path}'; it must lead to a file of the same name`;
    return refuse(walk, path, message);
  }
  // The skill is where its file really is: that directory holds what it refers to.
  const allNames = [basename(dirname(target.path)), ...names];
  if (addNames(walk, target.path, allNames)) return;
  const header = headerAt(target.path);
  if (header.kind === "absent" || header.kind === "special") {
    walk.trail.isUnrepeatable = true;
    return refuse(walk, path, "it was replaced while it was read; try again");
  }
  addFound(walk, target.path, allNames, start, header);
}

/** A skill that was reached before is one skill still, of whichever name. */
function addNames(walk: Walk, path: string, names: readonly string[]): boolean {
  const known = walk.found.get(path);
  known?.directoryNames.push(...names);
  return known !== undefined;
}

function addFound(walk: Walk, path: string, names: string[], start: Start, header: HeaderRead): void {
  walk.found.set(path, { path, start, directoryNames: names, header });
}

/** A link to a file other than a SKILL.md may lead anywhere: nothing is done with it. */
function followLink(walk: Walk, place: Place, name: string): Place | undefined {
  const path = join(place.path, name);
  const target = follow(walk, path);
  if (target.kind === "nothing") refuseDangling(walk, path);
  else if (target.kind === "unseen") refuseUnseen(walk, path, target.errno);
  else if (target.kind === "directory") {
    if (isInside(walk.boundary, target.path)) return below(place, target.path, [basename(target.path), name]);
    refuseOutside(walk, path);
  }
  return undefined;
}

function follow({ trail }: Walk, path: string): LinkTarget {
  const target = linkTarget(path);
  trail.links.push(path);
  trail.targets.push(describeTarget(target));
  if (target.kind === "unseen") trail.isUnrepeatable = true;
  return target;
}

function refuseDangling(walk: Walk, path: string): void {
  refuse(walk, path, "it is a link that leads nowhere; correct or remove it");
}

function refuseOutside(walk: Walk, path: string): void {
  refuse(walk, path, `it is a link that leads outside ${walk.boundaryName}; put a copy in its place`);
}

function refuseUnseen(walk: Walk, path: string, errno: string): void {
  refuse(walk, path, `it can't be looked at (${errno}); ${ALLOW}, or correct the link`);
}

function refuse(walk: Walk, path: string, message: string, rule: RuleId = "skill-unreadable"): void {
  walk.errors.push({ path, message, rule });
}
