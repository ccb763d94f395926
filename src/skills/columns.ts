import type { Stats } from "node:fs";
import { sep } from "node:path";
import type { Scope } from "./scopes.ts";
import { joinTexts, searchTexts, type FoldedTexts, type JoinedTexts } from "./search-texts.ts";
import { SKILL_FILE, type Skill } from "./skill.ts";

/*
 * Thousands of skills in a few arrays: as a walk finds them, as the snapshot holds them, and as a ranking reads them. A
 * skill becomes an object only when it is needed.
 */

/** Skills that can be searched without an object for each. Unordered. */
export interface SkillBook {
  readonly size: number;
  skillAt(index: number): Skill;
  pathAt(index: number): string;
  scopeAt(index: number): Skill["scope"];
  all(): readonly Skill[];
  /** Their names and descriptions. */
  texts(): FoldedTexts;
}

export function bookOf(skills: readonly Skill[]): SkillBook {
  return {
    size: skills.length,
    skillAt: (index) => skills[index] as Skill,
    pathAt: (index) => (skills[index] as Skill).path,
    scopeAt: (index) => (skills[index] as Skill).scope,
    all: () => skills,
    texts: () => searchTexts(joinTexts(skills.flatMap(({ name, description }) => [name, description]))),
  };
}

/** SKILL.md files that a walk read: where they are, their stamps, and the start that they were found from. */
export interface FileColumns {
  /** Their directories; "" for the usual one, which is directly in its start and has its skill's name. */
  readonly directories: string[];
  readonly stamps: number[];
  readonly starts: number[];
  /** The ctimes of their directories where these are leaves and no trail has them; else 0. */
  readonly leaves: number[];
}

export interface SkillColumns extends FileColumns {
  /** The name and description of each in turn. */
  readonly words: string[];
}

/** What follows the directory in a skill's path. */
export const SKILL_FILE_IN = sep + SKILL_FILE;

/** @param directory as in `FileColumns` */
export function addFile(columns: FileColumns, directory: string, stats: Stats, start: number): void {
  columns.directories.push(directory);
  addStamp(columns.stamps, stats);
  columns.starts.push(start);
  columns.leaves.push(0);
}

/** Says of the file added last that its directory has no subdirectories: when one is added, its ctime changes. */
export function setLeaf({ leaves }: FileColumns, { ctimeMs }: Stats): void {
  leaves[leaves.length - 1] = ctimeMs;
}

/** The path of a file in columns, by its index. */
export function pathsIn(
  { directories, starts, words }: SkillColumns,
  scopes: readonly Scope[],
): (index: number) => string {
  const tops = scopes.flatMap((scope) => scope.starts.map(({ directory }) => directory + sep));
  return (index) => {
    const directory = directories[index] || (tops[starts[index] as number] as string) + (words[2 * index] as string);
    return directory + SKILL_FILE_IN;
  };
}

export function bookOfColumns(columns: SkillColumns, texts: JoinedTexts, scopes: readonly Scope[]): SkillBook {
  const { stamps, starts, words } = columns;
  const origins = scopes.flatMap(({ scope, starts: own }) => own.map(({ distance }) => ({ scope, distance })));
  const originAt = (index: number) => origins[starts[index] as number] as (typeof origins)[number];
  const pathAt = pathsIn(columns, scopes);
  const size = words.length / 2;
  function skillAt(index: number): Skill {
    const path = pathAt(index);
    const { mtimeMs, ctimeMs } = timesOf(stamps, index * STAMP_LENGTH);
    return {
      name: words[2 * index] as string,
      description: words[2 * index + 1] as string,
      path,
      dir: path.slice(0, -SKILL_FILE_IN.length),
      ...originAt(index),
      mtimeMs: Math.max(0, Math.floor(mtimeMs)),
      changedMs: ctimeMs,
    };
  }
  return {
    size,
    skillAt,
    pathAt,
    scopeAt: (index) => originAt(index).scope,
    all() {
      const skills: Skill[] = [];
      for (let index = 0; index < size; index++) skills.push(skillAt(index));
      return skills;
    },
    texts: () => searchTexts(texts),
  };
}

/**
 * A stamp tells whether a file or directory is unchanged: inode, size, mtime, and ctime as the difference to mtime,
 * which is nearly always 0 and so short in the snapshot's JSON.
 */
const STAMP_LENGTH = 4;

export function addStamp(stamps: number[], { ino, size, mtimeMs, ctimeMs }: Stats): void {
  stamps.push(ino, size, mtimeMs, ctimeMs - mtimeMs);
}

export function isStamp(stamps: readonly number[], index: number, stats: Stats): boolean {
  const at = index * STAMP_LENGTH;
  return (
    stamps[at + 3] === stats.ctimeMs - stats.mtimeMs &&
    stamps[at + 2] === stats.mtimeMs &&
    stamps[at + 1] === stats.size &&
    stamps[at] === stats.ino
  );
}

/** The time of the most recent change to any of them. */
export function latestChange(stamps: readonly number[]): number {
  let latest = 0;
  for (let at = 0; at < stamps.length; at += STAMP_LENGTH) {
    const { mtimeMs, ctimeMs } = timesOf(stamps, at);
    latest = Math.max(latest, mtimeMs, ctimeMs);
  }
  return latest;
}

function timesOf(stamps: readonly number[], at: number): { mtimeMs: number; ctimeMs: number } {
  const mtimeMs = stamps[at + 2] as number;
  return { mtimeMs, ctimeMs: mtimeMs + (stamps[at + 3] as number) };
}
