import type { Stats } from "node:fs";
import { sep } from "node:path";
import type { Scope } from "./scopes.ts";
import type { Skill } from "./skill.ts";
import { addStamp, changeOfStamp, mtimeOfStamp } from "./stamps.ts";
import { searchTexts, joinTexts, type Joined, type FoldedTexts } from "./texts.ts";

export const SKILL_FILE = "SKILL.md";

/** What comes behind a directory. */
export const SKILL_FILE_IN = sep + SKILL_FILE;

/** Files called SKILL.md that a walk read: where, what they were then, and which start they were found from. */
export interface FileColumns {
  /** Their directories; empty for the usual one, which stands in its start and is called as its skill is. */
  readonly directories: string[];
  readonly stamps: number[];
  readonly starts: number[];
}

/** Skills without each of thousands being an object. */
export interface SkillColumns extends FileColumns {
  /** The name and description of each in turn. */
  readonly words: string[];
}

/** @param directory empty where that says it all */
export function addFile(columns: FileColumns, directory: string, stats: Stats, start: number): void {
  columns.directories.push(directory);
  addStamp(columns.stamps, stats);
  columns.starts.push(start);
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

export function bookOfColumns(
  columns: SkillColumns,
  texts: Omit<Joined, "isExact">,
  scopes: readonly Scope[],
): SkillBook {
  const { stamps, starts, words } = columns;
  const origins = scopes.flatMap(({ scope, starts: own }) => own.map(({ distance }) => ({ scope, distance })));
  const originAt = (index: number) => origins[starts[index] as number] as (typeof origins)[number];
  const pathAt = pathsIn(columns, scopes);
  function skillAt(index: number): Skill {
    const path = pathAt(index);
    return {
      name: words[2 * index] as string,
      description: words[2 * index + 1] as string,
      path,
      dir: path.slice(0, -SKILL_FILE_IN.length),
      ...originAt(index),
      mtimeMs: Math.max(0, Math.floor(mtimeOfStamp(stamps, index))),
      changedMs: changeOfStamp(stamps, index),
    };
  }
  const size = words.length / 2;
  return {
    size,
    skillAt,
    pathAt,
    scopeAt: (index) => originAt(index).scope,
    all: () => Array.from({ length: size }, (_, index) => skillAt(index)),
    texts: () => searchTexts(texts),
  };
}

/** Skills that can be searched without each of thousands being an object first. In no order. */
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
