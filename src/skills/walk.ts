import type { Dirent, Stats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { compareText } from "../lib/sorting.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { lstatOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { within, WORTH_GOING } from "../lib/working-directory.ts";
import { addFile, addStamp, setLeaf, SKILL_FILE_IN } from "./columns.ts";
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
/** The files of skills are far more than the skills. */
export const MAX_ENTRIES_IN_SKILLS = 200_000;
const TOO_MANY = `skills are looked for among ${MAX_ENTRIES} files and directories; here are more: move some away`;
const TOO_MANY_IN_SKILLS = `skills inside skills are looked for among ${MAX_ENTRIES_IN_SKILLS} files and directories; here are more: move some away`;
const TOO_DEEP = `skills are looked for ${MAX_DEPTH} directories deep; this one is deeper: move it up`;
const SKILL_FILE_FOLDED = SKILL_FILE.toLowerCase();

/** A directory to be listed. */
interface Directory {
  /** Canonical. */
  readonly path: string;
  /** 0 for a start. */
  readonly depth: number;
  readonly start: Start;
  /** It is a skill's, or below one. */
  readonly inSkill: boolean;
}

/** A directory that a link leads to: its own name first, then the link's. */
interface LinkedDirectory extends Directory {
  readonly names: string[];
}

/**
 * Finds the skills below the skill directories of one scope. A directory with a SKILL.md is a skill; below it there may
 * be others. No link inside a skill is followed, and what lies too deep in it is its own.
 *
 * Directories are entered by their own names before any link is followed; from each start, and among the links, the
 * shallowest first; each directory once. So cycles end, and the result does not depend on the order on disk.
 *
 * @param starts canonical and inside the boundary, nearest first
 * @returns whether a limit ended the walk early
 * @effect adds to what the walk holds; meanwhile a directory with many entries is the working directory
 */
export function walkSkills(walk: Walk, starts: readonly Start[]): boolean {
  const entered = new Set<string>();
  const links: LinkedDirectory[] = [];
  const limited = new Set<string>();
  let entriesLeft = MAX_ENTRIES;
  let entriesLeftInSkills = MAX_ENTRIES_IN_SKILLS;

  for (const start of starts) {
    if (start.index > 0) walk.found.mayRepeat = true;
    visit({ path: start.directory, depth: 0, start, inSkill: false, names: [basename(start.directory)] });
  }
  if (links.length > 0) walk.found.mayRepeat = true;
  for (const start of starts) {
    // Links found on the way are deeper. They are sorted because the first path to a directory decides its depth.
    for (let depth = 1; depth <= MAX_DEPTH + 1; depth++) {
      const here = links.filter((link) => link.start === start && link.depth === depth);
      for (const link of here.toSorted(byPathAndNames)) visit(link);
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
    let level: readonly Directory[] = [{ ...top, inSkill: isSkill && top.depth > 0 }];
    for (let isTop = true; level.length > 0; isTop = false) {
      level = level.flatMap((directory) => enter(directory, isTop && isSkill));
    }
  }

  /** @returns the subdirectories to enter next */
  function enter(directory: Directory, isSkill: boolean): Directory[] {
    const { path, depth, inSkill } = directory;
    if (entriesLeft < 0 || entered.has(path)) return [];
    if (depth > MAX_DEPTH) {
      if (!inSkill) limit(path, TOO_DEEP);
      return [];
    }
    entered.add(path);
    const room = inSkill ? entriesLeftInSkills : entriesLeft;
    if (room < 0) return [];
    const { entries, stats } = list(walk, path, room);
    const isLeaf = leafTest(stats, entries);
    const work = (prefix: string) => takeEntries(directory, entries, prefix, isSkill, isLeaf);
    const inner = entries.length < WORTH_GOING ? work(path + sep) : within(walk.world, path, work);
    return inner.toSorted(byPath);
  }

  /** @returns the directories among them that may contain skills */
  function takeEntries(
    parent: Directory,
    entries: readonly Dirent[],
    prefix: string,
    isSkill: boolean,
    isLeaf: LeafTest,
  ): Directory[] {
    const inner: Directory[] = [];
    for (const entry of entries) {
      if (!spendOn(parent)) break;
      const { name } = entry;
      if (entry.isDirectory()) {
        if (walk.ignored.has(name)) continue;
        const directory = takeDirectory(walk, parent, name, prefix, isLeaf);
        if (directory !== undefined) inner.push(directory);
      } else if (parent.inSkill || walk.ignored.has(name)) {
        continue;
      } else if (entry.isSymbolicLink() && name !== SKILL_FILE) {
        const linked = followLink(walk, parent, name);
        if (linked !== undefined) links.push(linked);
      } else if (name === SKILL_FILE) {
        // If the directory was no skill, the file has only just been created.
        if (!isSkill) walk.trail.isUnrepeatable = true;
      } else if (name.length === SKILL_FILE.length && entry.isFile() && name.toLowerCase() === SKILL_FILE_FOLDED) {
        refuse(walk, parent.path + sep + name, `it is no skill unless it is called '${SKILL_FILE}'; rename it`);
      }
    }
    return inner;
  }

  /** Counts an entry; false if there have been too many. */
  function spendOn({ path, inSkill }: Directory): boolean {
    const isLeft = inSkill ? --entriesLeftInSkills >= 0 : --entriesLeft >= 0;
    if (!isLeft) limit(path, inSkill ? TOO_MANY_IN_SKILLS : TOO_MANY);
    return isLeft;
  }

  /** Each limit is reported once, where it is first reached. */
  function limit(path: string, message: string): void {
    if (!limited.has(message)) refuse(walk, path, message, "skill-limit");
    limited.add(message);
  }
}

function byPath(left: Directory, right: Directory): number {
  return compareText(left.path, right.path);
}

function byPathAndNames(left: LinkedDirectory, right: LinkedDirectory): number {
  return byPath(left, right) || compareText(left.names.join(sep), right.names.join(sep));
}

/**
 * Whether a directory has no subdirectories, by its number of links. Most file systems count each subdirectory as one;
 * one that does so proves it in the directory above.
 */
type LeafTest = (stats: Stats) => boolean;

function leafTest(above: Stats | undefined, entries: readonly Dirent[]): LeafTest {
  const count = entries.reduce((sum, entry) => sum + (entry.isDirectory() ? 1 : 0), 0);
  const isCounted = above !== undefined && above.nlink === count + 2;
  return ({ nlink, dev }) => isCounted && nlink === 2 && dev === above.dev;
}

interface Listed {
  /** Sorted only if a limit decides which of them count: the answer is sorted in the end. */
  readonly entries: readonly Dirent[];
  readonly stats?: Stats | undefined;
}

function list(walk: Walk, path: string, entriesLeft: number): Listed {
  const { trail } = walk;
  try {
    // Before it is listed, so that a later change is noticed.
    const stats = disk.look(path);
    if (stats === undefined) trail.isUnrepeatable = true;
    else addStamp(trail.enteredStamps, stats);
    trail.entered.push(path);
    const listed = disk.list(path);
    const entries = isUnchanged(stats, disk.look(path)) ? listed : eachOnce(listed);
    if (entries.length <= entriesLeft) return { entries, stats };
    return { entries: entries.toSorted((left, right) => compareText(left.name, right.name)), stats };
  } catch (error) {
    trail.isUnrepeatable = true;
    refuseUnlisted(walk, path, errnoOf(error));
    return { entries: [] };
  }
}

function isUnchanged(before: Stats | undefined, after: Stats | undefined): boolean {
  return before?.mtimeMs === after?.mtimeMs && before?.ctimeMs === after?.ctimeMs && before?.ino === after?.ino;
}

/** The system may list an entry twice if the directory changes meanwhile. */
function eachOnce(entries: readonly Dirent[]): readonly Dirent[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}

/** The directory that a link leads to. A link to a file other than a SKILL.md may lead anywhere and is ignored. */
function followLink(walk: Walk, { path: parent, depth, start }: Directory, name: string): LinkedDirectory | undefined {
  const path = join(parent, name);
  const target = follow(walk, path);
  if (target.kind === "nothing") refuseDangling(walk, path);
  else if (target.kind === "unseen") refuseUnseen(walk, path, target.errno);
  else if (target.kind === "directory") {
    if (isInside(walk.boundary, target.path)) {
      return { path: target.path, names: [basename(target.path), name], depth: depth + 1, start, inSkill: false };
    }
    refuseOutside(walk, path);
  }
  return undefined;
}

/** Whether a directory has a SKILL.md, usable or not. */
function takeSkillFile(walk: Walk, { names, ...place }: LinkedDirectory): boolean {
  const path = place.path + SKILL_FILE_IN;
  if (walk.found.addNames(path, names)) return true;
  const header = readHeader(path);
  if (header.kind === "absent") return false;
  take(walk, path, names, place, header);
  return true;
}

/**
 * Takes the SKILL.md of a directory in a listed one.
 *
 * @param prefix the path from the working directory to `parent`
 * @returns the directory if it has to be entered; in a skill only for its subdirectories
 */
function takeDirectory(
  walk: Walk,
  parent: Directory,
  name: string,
  prefix: string,
  isLeaf: LeafTest,
): Directory | undefined {
  const depth = parent.depth + 1;
  const { start } = parent;
  // What is too deep is reported, or else a skill's own.
  if (depth > MAX_DEPTH) {
    return parent.inSkill ? undefined : { path: parent.path + sep + name, depth, start, inSkill: false };
  }
  // Before it is looked into, so that a later change is noticed.
  // What can't be looked at is entered, and listing it says why.
  const before = parent.inSkill ? lstatOf(prefix + name) : undefined;
  const taken = takeFileOfEntry(walk, parent, name, prefix);
  const inSkill = taken !== "none" || parent.inSkill;
  if (inSkill) {
    const stats = before ?? lstatOf(prefix + name);
    if (stats !== undefined && isLeaf(stats)) {
      if (taken === "usual") setLeaf(walk.skills, stats);
      else {
        walk.trail.entered.push(parent.path + sep + name);
        addStamp(walk.trail.enteredStamps, stats);
      }
      return undefined;
    }
  }
  return { path: parent.path + sep + name, depth, start, inSkill };
}

/**
 * As `takeSkillFile`, for a directory in a listed one. For the usual file, one of thousands, no path is built.
 *
 * @param prefix the path from the working directory to `parent`
 */
function takeFileOfEntry(walk: Walk, parent: Directory, name: string, prefix: string): "none" | "usual" | "other" {
  const path = () => parent.path + sep + name + SKILL_FILE_IN;
  if (walk.found.mayRepeat && walk.found.addNames(path(), [name])) return "other";
  const header = readHeader(prefix + name + SKILL_FILE_IN);
  if (header.kind === "absent") return "none";
  if (parent.depth === 0 && header.kind === "facts" && header.facts.name === name && isValid(header.facts)) {
    walk.skills.words.push(name, header.facts.description);
    addFile(walk.skills, "", header.stats, parent.start.index);
    return "usual";
  }
  // Several names that are not UTF-8 may look alike; none of them is a usual one.
  if (!name.includes("\uFFFD") || !walk.found.addNames(path(), [name])) take(walk, path(), [name], parent, header);
  return "other";
}

/** What a SKILL.md is found from. */
type Place = Pick<Directory, "start" | "inSkill">;

function take(
  walk: Walk,
  path: string,
  names: string[],
  place: Place,
  header: Exclude<HeaderRead, { kind: "absent" }>,
): void {
  if (header.kind === "unusable") walk.trail.isUnrepeatable = true;
  if (header.kind === "special") takeSpecialFile(walk, path, names, place);
  else addFound(walk, path, names, place, header);
}

function takeSpecialFile(walk: Walk, path: string, names: readonly string[], place: Place): void {
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
  // The skill is where its file really is: that directory contains the files it refers to.
  const allNames = [basename(dirname(target.path)), ...names];
  walk.found.mayRepeat = true;
  if (walk.found.addNames(target.path, allNames)) return;
  const header = readHeader(target.path);
  if (header.kind === "absent" || header.kind === "special") {
    walk.trail.isUnrepeatable = true;
    return refuse(walk, path, "it was replaced while it was read; try again");
  }
  addFound(walk, target.path, allNames, place, header);
}

function addFound(walk: Walk, path: string, names: string[], { start, inSkill }: Place, header: HeaderFound): void {
  if (header.kind === "facts" && isValid(header.facts) && names.includes(header.facts.name)) {
    const { name, description } = header.facts;
    walk.skills.words.push(name, description);
    addFile(walk.skills, dirname(path), header.stats, start.index);
  } else walk.unsettled.push({ path, start, directoryNames: names, header, inSkill });
}
