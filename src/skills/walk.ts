import type { Dirent, Stats } from "node:fs";
import { basename, join, sep } from "node:path";
import { isInside } from "../lib/paths.ts";
import { compareText } from "../lib/compare.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { within, WORTH_GOING } from "../lib/within.ts";
import { SKILL_FILE } from "./columns.ts";
import { addStamp } from "./stamps.ts";
import {
  ALLOW,
  NAME_LOST,
  follow,
  refuse,
  refuseDangling,
  refuseOutside,
  refuseUnseen,
  type Start,
  type Walk,
} from "./walk-findings.ts";
import { takeFileOfEntry, takeSkillFile, type Place } from "./take-file.ts";

const SKILL_FILE_FOLDED = SKILL_FILE.toLowerCase();
export const MAX_DEPTH = 8;
export const MAX_ENTRIES = 20_000;
const TOO_MANY = `skills are looked for among ${MAX_ENTRIES} files and directories; here are more: move some away`;
const TOO_DEEP = `skills are looked for ${MAX_DEPTH} directories deep; this one is deeper: move it up`;

/** What it is called: its own name first, then that of the link it was reached by. */
interface LinkedPlace extends Place {
  readonly names: string[];
}

/**
 * Finds the skills below the skill directories of one scope. A directory with a SKILL.md is a skill, and what is below
 * it is the skill's own: examples and templates hold files of that name too. Directories are entered by their own
 * names before any link is followed, from each start and among the links the shallowest first, and each directory once: so loops end, and what is
 * found does not depend on which way was taken.
 *
 * @input  starts: canonical and inside the boundary, the nearest first
 * @output whether a limit ended it early
 * @effect what the walk holds grows; reads the beginnings of files; among many the working directory is theirs meanwhile
 * @error  none
 */
export function walkSkills(walk: Walk, starts: readonly Start[]): boolean {
  const entered = new Set<string>();
  /** Directories that links lead to. */
  const links: LinkedPlace[] = [];
  const limited = new Set<string>();
  let entriesLeft = MAX_ENTRIES;

  /** Each limit is reported once, where it first bit. */
  function limit(path: string, message: string): void {
    if (!limited.has(message)) refuse(walk, path, message, "skill-limit");
    limited.add(message);
  }

  function visit(path: string, names: string[], depth: number, start: Start): void {
    if (entriesLeft < 0) return;
    if (depth > MAX_DEPTH) {
      if (!entered.has(path)) limit(path, TOO_DEEP);
      return;
    }
    const isSkill = takeSkillFile(walk, path, names, start);
    if (isSkill && depth > 0) return;
    let level = enter({ path, depth, start }, isSkill);
    while (level.length > 0) level = level.flatMap((place) => enter(place, false));
  }

  /** @output what is to be entered next: the directories in this one that are no skills */
  function enter(place: Place, isSkill: boolean): Place[] {
    const { path, depth, start } = place;
    if (entriesLeft < 0 || entered.has(path)) return [];
    if (depth > MAX_DEPTH) {
      limit(path, TOO_DEEP);
      return [];
    }
    entered.add(path);
    const entries = list(walk, path, entriesLeft);
    const work = (prefix: string) => takeEntries(place, entries, prefix, isSkill);
    const others = entries.length < WORTH_GOING ? work(path + sep) : within(walk.world, path, work);
    return others.toSorted(compareText).map((name) => ({ path: path + sep + name, depth: depth + 1, start }));
  }

  /** @output the names of directories that are no skills */
  function takeEntries(place: Place, entries: readonly Dirent[], prefix: string, isSkill: boolean): string[] {
    const others: string[] = [];
    for (const entry of entries) {
      if (--entriesLeft < 0) {
        limit(place.path, TOO_MANY);
        break;
      }
      const { name } = entry;
      if (entry.isDirectory()) {
        if (walk.ignored.has(name)) continue;
        // What would be too deep is not looked at, but named.
        if (place.depth === MAX_DEPTH || !takeFileOfEntry(walk, place, name, prefix)) others.push(name);
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
    return others;
  }

  for (const start of starts) {
    if (start.index > 0) walk.found.mayRepeat = true;
    visit(start.directory, [basename(start.directory)], 0, start);
  }
  if (links.length > 0) walk.found.mayRepeat = true;
  for (const start of starts) {
    // Behind a link there are only deeper ones. In an order that is not that of the disk: the first way to a directory
    // decides how deep it is.
    for (let depth = 1; depth <= MAX_DEPTH + 1; depth++) {
      const here = links.filter((place) => place.start === start && place.depth === depth);
      for (const { path, names } of here.toSorted(byPath)) visit(path, names, depth, start);
    }
  }
  return limited.size > 0;
}

function byPath(left: LinkedPlace, right: LinkedPlace): number {
  return compareText(left.path, right.path) || compareText(left.names.join(sep), right.names.join(sep));
}

/** Sorted only where a limit decides which entries count: the answer is sorted in the end. */
function list(walk: Walk, path: string, entriesLeft: number): readonly Dirent[] {
  const { trail } = walk;
  try {
    // Before it is listed: what comes in meanwhile makes it another one.
    const stats = disk.look(path);
    if (stats === undefined) trail.isUnrepeatable = true;
    else addStamp(trail.enteredStamps, stats);
    trail.entered.push(path);
    const listed = disk.list(path);
    const entries = isUnchanged(stats, disk.look(path)) ? listed : eachOnce(listed);
    return entries.length <= entriesLeft
      ? entries
      : entries.toSorted((left, right) => compareText(left.name, right.name));
  } catch (error) {
    trail.isUnrepeatable = true;
    const errno = errnoOf(error);
    // Bytes that are no UTF-8 came as U+FFFD, and nothing has that name.
    const isNameLost = errno === "ENOENT" && path.includes("\uFFFD");
    refuse(walk, path, `it can't be looked into (${errno}); ${isNameLost ? NAME_LOST : `${ALLOW} and enter it`}`);
    return [];
  }
}

function isUnchanged(before: Stats | undefined, after: Stats | undefined): boolean {
  return before?.mtimeMs === after?.mtimeMs && before?.ctimeMs === after?.ctimeMs && before?.ino === after?.ino;
}

/** Of a directory that changes while it is listed, the system may say an entry twice. */
function eachOnce(entries: readonly Dirent[]): readonly Dirent[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}

/** A link to a file other than a SKILL.md may lead anywhere: nothing is done with it. */
function followLink(walk: Walk, place: Place, name: string): LinkedPlace | undefined {
  const path = join(place.path, name);
  const target = follow(walk, path);
  if (target.kind === "nothing") refuseDangling(walk, path);
  else if (target.kind === "unseen") refuseUnseen(walk, path, target.errno);
  else if (target.kind === "directory") {
    if (isInside(walk.boundary, target.path)) {
      return { path: target.path, names: [basename(target.path), name], depth: place.depth + 1, start: place.start };
    }
    refuseOutside(walk, path);
  }
  return undefined;
}
