import { join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import { searchTexts, SEPARATOR } from "../../core/skills/folded-texts.ts";
import type { Skill, SkillProblem } from "../../core/skills/skill.ts";
import { placeOfRoot } from "../../core/user-places.ts";
import { disk } from "../disk.ts";
import { readText } from "../read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { Discovery } from "./discover.ts";
import { describeTarget, linkTarget } from "./link-target.ts";
import type { SkillSearch } from "./read-everything.ts";
import type { Scope } from "./scopes.ts";
import { changeOfStamp, isStamp, mtimeOfStamp } from "./stamps.ts";
import { SKILL_FILE } from "./walk.ts";

/**
 * What a walk found and what it went by, in a file. It is believed as a whole, and only when every file, directory
 * and link that it went by is as it was: so nothing in it is ever older than the files.
 */
export interface Snapshot {
  readonly rules: string;
  readonly key: string;
  /** The files of skills, then those that are none. */
  readonly paths: readonly string[];
  readonly stamps: readonly number[];
  /** For each skill, which start it was found from. */
  readonly starts: readonly number[];
  readonly directories: readonly string[];
  readonly directoryStamps: readonly number[];
  readonly links: readonly string[];
  readonly targets: readonly string[];
  /** Names and descriptions as `joinTexts` joins them. */
  readonly texts: string;
  /** The same folded; absent where they are plain. */
  readonly folded?: string;
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

export interface SnapshotPlace {
  readonly file: string;
  /** What the snapshot is of: all that decides which skills there are beside the files. */
  readonly key: string;
}

/** Changes with everything that decides what a snapshot holds; a test holds it equal to a hash of that. */
export const SNAPSHOT_RULES_MARK = "bf4eec7fac102adc";
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Files that a walk read: where, what they were then, and which start they were found from. */
export interface FileColumns {
  readonly paths: string[];
  readonly stamps: number[];
  readonly starts: number[];
}

/** The same for all working directories that find their skills in the same places. */
export function snapshotPlace(workspace: Workspace, { scopes, ignored, validation }: SkillSearch): SnapshotPlace {
  const places = scopes.map(({ boundary, starts }) => [boundary, starts.map(({ directory }) => directory)]);
  const key = JSON.stringify([validation, [...ignored], places]);
  const directory = placeOfRoot(workspace.places.cache, workspace.root.directory);
  return { file: join(directory, `skills-${shortHash(key)}.json`), key };
}

/**
 * What was found before, if it would be found again.
 *
 * @output undefined when anything differs, or nothing is remembered
 * @effect looks at every file, directory and link of it
 * @error  none
 */
export function recallSnapshot({ file, key }: SnapshotPlace, scopes: readonly Scope[]): Discovery | undefined {
  const read = readText(file, MAX_SNAPSHOT_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const snapshot: Snapshot = JSON.parse(read.text);
    const isOurs = snapshot.rules === SNAPSHOT_RULES_MARK && snapshot.key === key && isWhole(snapshot);
    if (!isOurs || !isAsItWas(snapshot)) return undefined;
    return {
      book: bookOfSnapshot(snapshot, scopes),
      errors: snapshot.errors,
      warnings: snapshot.warnings,
      truncated: false,
    };
  } catch {
    // A file or directory that can't be looked at, or a snapshot of another shape.
    return undefined;
  }
}

/** It is nobody's but ours; still a disk may lose a part of it. */
function isWhole({ texts, paths, starts, errors, warnings }: Snapshot): boolean {
  const isLongEnough = Array.isArray(paths) && Array.isArray(starts) && starts.length <= paths.length;
  return isLongEnough && typeof texts === "string" && Array.isArray(errors) && Array.isArray(warnings);
}

function isAsItWas({ paths, stamps, directories, directoryStamps, links, targets }: Snapshot): boolean {
  for (let index = 0; index < directories.length; index++) {
    const stats = disk.look(directories[index] as string);
    if (stats === undefined || !isStamp(directoryStamps, index, stats)) return false;
  }
  for (let index = 0; index < links.length; index++) {
    if (describeTarget(linkTarget(links[index] as string)) !== targets[index]) return false;
  }
  for (let index = 0; index < paths.length; index++) {
    const stats = disk.look(paths[index] as string);
    if (stats === undefined || !isStamp(stamps, index, stats)) return false;
  }
  return true;
}

function bookOfSnapshot(
  { paths, stamps, starts, texts, folded }: Snapshot,
  scopes: readonly Scope[],
): Discovery["book"] {
  const origins = scopes.flatMap(({ scope, starts: own }) => own.map(({ distance }) => ({ scope, distance })));
  let words: string[] | undefined;
  function skillAt(index: number): Skill {
    // Before the first name there is a separator.
    words ??= texts.split(SEPARATOR);
    const path = paths[index] as string;
    const { scope, distance } = origins[starts[index] as number] as (typeof origins)[number];
    return {
      name: words[2 * index + 1] as string,
      description: words[2 * index + 2] as string,
      path,
      dir: path.slice(0, -1 - SKILL_FILE.length),
      scope,
      mtimeMs: Math.max(0, Math.floor(mtimeOfStamp(stamps, index))),
      distance,
      changedMs: changeOfStamp(stamps, index),
    };
  }
  return {
    size: starts.length,
    skillAt,
    pathAt: (index) => paths[index] as string,
    scopeAt: (index) => (origins[starts[index] as number] as (typeof origins)[number]).scope,
    all: () => starts.map((_, index) => skillAt(index)),
    texts: () => (folded === undefined ? searchTexts(texts.toLowerCase(), true) : searchTexts(folded)),
  };
}
