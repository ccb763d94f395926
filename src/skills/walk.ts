import type { Dirent, Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { compareText } from "../lib/compare.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { isInside } from "../lib/paths.ts";
import { within, WORTH_GOING } from "../lib/within.ts";
import { addFile, addStamp, SKILL_FILE_IN } from "./columns.ts";
import { isValid } from "./header-rules.ts";
import { readHeader, type HeaderFound, type HeaderRead } from "./read-header.ts";
import { SKILL_FILE } from "./skill.ts";
import {
  follow,
  refuse,
  refuseDangling,
  refuseOutside,
  refuseUnlisted,
  refuseUnseen,
  type Start,
  type Walk,
} from "./walk-findings.ts";

export const MAX_DEPTH = 8;
export const MAX_ENTRIES = 20_000;
const TOO_MANY = `skills are looked for among ${MAX_ENTRIES} files and directories; here are more: move some away`;
const TOO_DEEP = `skills are looked for ${MAX_DEPTH} directories deep; this one is deeper: move it up`;
const SKILL_FILE_FOLDED = SKILL_FILE.toLowerCase();

/** A directory that is listed, or is going to be. */
interface Directory {
  /** Canonical. */
  readonly path: string;
  /** 0 for a start. */
  readonly depth: number;
  readonly start: Start;
}

/** A directory that a link leads to: its own name first, then the link's. */
interface LinkedDirectory extends Directory {
  readonly names: string[];
}

/**
 * Finds the skills below the skill directories of one scope. A directory with a SKILL.md is a skill, and everything
 * below it belongs to that skill: its examples and templates may hold files of that name too.
 *
 * Directories are entered by their own names before any link is followed; from each start, and among the links, the
 * shallowest first; and each directory once. So loops end, and what is found does not depend on the order on disk.
 *
 * @param starts canonical and inside the boundary, the nearest first
 * @returns whether a limit ended the walk early
 * @effect adds to what the walk holds; meanwhile a directory with many entries is the working directory
 */
export function walkSkills(walk: Walk, starts: readonly Start[]): boolean {
  const entered = new Set<string>();
  const links: LinkedDirectory[] = [];
  const limited = new Set<string>();
  let entriesLeft = MAX_ENTRIES;

  for (const start of starts) {
    if (start.index > 0) walk.found.mayRepeat = true;
    visit({ path: start.directory, depth: 0, start, names: [basename(start.directory)] });
  }
  if (links.length > 0) walk.found.mayRepeat = true;
  for (const start of starts) {
    // Links found on the way are deeper. They are sorted because the first way to a directory decides how deep it is.
    for (let depth = 1; depth <= MAX_DEPTH + 1; depth++) {
      const here = links.filter((link) => link.start === start && link.depth === depth);
      for (const link of here.toSorted(byPath)) visit(link);
    }
  }
  return limited.size > 0;

  function visit(top: LinkedDirectory): void {
    if (entriesLeft < 0) return;
    if (top.depth > MAX_DEPTH) {
      if (!entered.has(top.path)) limit(top.path, TOO_DEEP);
      return;
    }
    const isSkill = takeSkillFile(walk, top);
    if (isSkill && top.depth > 0) return;
    let level = enter(top, isSkill);
    while (level.length > 0) level = level.flatMap((directory) => enter(directory, false));
  }

  /** @returns what to enter next: the directories in this one that are not skills */
  function enter(directory: Directory, isSkill: boolean): Directory[] {
    const { path, depth, start } = directory;
    if (entriesLeft < 0 || entered.has(path)) return [];
    if (depth > MAX_DEPTH) {
      limit(path, TOO_DEEP);
      return [];
    }
    entered.add(path);
    const entries = list(walk, path, entriesLeft);
    const work = (prefix: string) => takeEntries(directory, entries, prefix, isSkill);
    const others = entries.length < WORTH_GOING ? work(path + sep) : within(walk.world, path, work);
    return others.toSorted(compareText).map((name) => ({ path: path + sep + name, depth: depth + 1, start }));
  }

  /** @returns the names of directories that are not skills */
  function takeEntries(parent: Directory, entries: readonly Dirent[], prefix: string, isSkill: boolean): string[] {
    const others: string[] = [];
    for (const entry of entries) {
      if (--entriesLeft < 0) {
        limit(parent.path, TOO_MANY);
        break;
      }
      const { name } = entry;
      if (entry.isDirectory()) {
        if (walk.ignored.has(name)) continue;
        // What would be too deep is reported, not read.
        if (parent.depth === MAX_DEPTH || !takeFileOfEntry(walk, parent, name, prefix)) others.push(name);
      } else if (entry.isSymbolicLink() && name !== SKILL_FILE && !walk.ignored.has(name)) {
        const linked = followLink(walk, parent, name);
        if (linked !== undefined) links.push(linked);
      } else if (name === SKILL_FILE) {
        // If the directory is no skill, the file was made only now.
        if (!isSkill) walk.trail.isUnrepeatable = true;
      } else if (name.length === SKILL_FILE.length && entry.isFile() && name.toLowerCase() === SKILL_FILE_FOLDED) {
        refuse(walk, parent.path + sep + name, `it is no skill unless it is called '${SKILL_FILE}'; rename it`);
      }
    }
    return others;
  }

  /** Each limit is reported once, where it is first reached. */
  function limit(path: string, message: string): void {
    if (!limited.has(message)) refuse(walk, path, message, "skill-limit");
    limited.add(message);
  }
}

function byPath(left: LinkedDirectory, right: LinkedDirectory): number {
  return compareText(left.path, right.path) || compareText(left.names.join(sep), right.names.join(sep));
}

/** Sorted only if a limit decides which entries count: the answer is sorted in the end. */
function list(walk: Walk, path: string, entriesLeft: number): readonly Dirent[] {
  const { trail } = walk;
  try {
    // Before it is listed: a later change must not go unnoticed.
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
    refuseUnlisted(walk, path, errnoOf(error));
    return [];
  }
}

function isUnchanged(before: Stats | undefined, after: Stats | undefined): boolean {
  return before?.mtimeMs === after?.mtimeMs && before?.ctimeMs === after?.ctimeMs && before?.ino === after?.ino;
}

/** The system may list an entry twice if the directory changes meanwhile. */
function eachOnce(entries: readonly Dirent[]): readonly Dirent[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}

/** The directory that a link leads to. A link to a file other than a SKILL.md may lead anywhere: it is passed over. */
function followLink(walk: Walk, { path: parent, depth, start }: Directory, name: string): LinkedDirectory | undefined {
  const path = join(parent, name);
  const target = follow(walk, path);
  if (target.kind === "nothing") refuseDangling(walk, path);
  else if (target.kind === "unseen") refuseUnseen(walk, path, target.errno);
  else if (target.kind === "directory") {
    if (isInside(walk.boundary, target.path)) {
      return { path: target.path, names: [basename(target.path), name], depth: depth + 1, start };
    }
    refuseOutside(walk, path);
  }
  return undefined;
}

/** Whether a directory has a SKILL.md, usable or not. */
function takeSkillFile(walk: Walk, { path: directory, names, start }: LinkedDirectory): boolean {
  const path = directory + SKILL_FILE_IN;
  if (walk.found.addNames(path, names)) return true;
  const header = readHeader(path);
  if (header.kind === "absent") return false;
  take(walk, path, names, start, header);
  return true;
}

/**
 * The same for a directory in a listed one. Of the usual file, one of thousands, no path is made.
 *
 * @param prefix what leads from the working directory into `parent`
 */
function takeFileOfEntry(walk: Walk, { path: parent, depth, start }: Directory, name: string, prefix: string): boolean {
  const path = () => parent + sep + name + SKILL_FILE_IN;
  if (walk.found.mayRepeat && walk.found.addNames(path(), [name])) return true;
  const header = readHeader(prefix + name + SKILL_FILE_IN);
  if (header.kind === "absent") return false;
  if (depth === 0 && header.kind === "facts" && header.facts.name === name && isValid(header.facts)) {
    walk.skills.words.push(name, header.facts.description);
    addFile(walk.skills, "", header.stats, start.index);
    return true;
  }
  // Several names that are not UTF-8 may look alike; none of them is a usual one.
  if (!name.includes("\uFFFD") || !walk.found.addNames(path(), [name])) take(walk, path(), [name], start, header);
  return true;
}

function take(
  walk: Walk,
  path: string,
  names: string[],
  start: Start,
  header: Exclude<HeaderRead, { kind: "absent" }>,
): void {
  if (header.kind === "unusable") walk.trail.isUnrepeatable = true;
  if (header.kind === "special") takeSpecialFile(walk, path, names, start);
  else addFound(walk, path, names, start, header);
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
    return refuse(walk, path, `it is a link to '${target.path}'; it must lead to a file of the same name`);
  }
  // The skill is where its file really is: that directory holds what it refers to.
  const allNames = [basename(dirname(target.path)), ...names];
  walk.found.mayRepeat = true;
  if (walk.found.addNames(target.path, allNames)) return;
  const header = readHeader(target.path);
  if (header.kind === "absent" || header.kind === "special") {
    walk.trail.isUnrepeatable = true;
    return refuse(walk, path, "it was replaced while it was read; try again");
  }
  addFound(walk, target.path, allNames, start, header);
}

function addFound(walk: Walk, path: string, names: string[], start: Start, header: HeaderFound): void {
  if (header.kind === "facts" && isValid(header.facts) && names.includes(header.facts.name)) {
    const { name, description } = header.facts;
    walk.skills.words.push(name, description);
    addFile(walk.skills, dirname(path), header.stats, start.index);
  } else walk.unsettled.push({ path, start, directoryNames: names, header });
}
