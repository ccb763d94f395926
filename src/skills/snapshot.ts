import { BUILD } from "../lib/build.ts";
import { join } from "node:path";
import { shortHash } from "../lib/hash.ts";
import { SEPARATOR, type JoinedTexts } from "./texts.ts";
import type { SkillProblem } from "./skill.ts";
import { placeOfRoot } from "../config/user-places.ts";
import type { World } from "../world.ts";
import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import { within, WORTH_GOING } from "../lib/within.ts";
import { bookOfColumns, pathsIn, SKILL_FILE_IN, type SkillColumns } from "./columns.ts";
import type { Discovery } from "./discover.ts";
import { describeTarget, linkTarget } from "./walk-findings.ts";
import type { SkillSearch } from "./read-all.ts";
import type { Scope } from "./scopes.ts";
import { isStamp } from "./stamps.ts";

/**
 * What a walk found and what it went by, in a file. It is believed as a whole, and only when every file, directory
 * and link that it went by is as it was: so nothing in it is ever older than the files.
 */
export interface Snapshot extends JoinedTexts {
  readonly build: string;
  readonly key: string;
  /** Of the files of skills as columns have them, then of those that are none. */
  readonly directories: string[];
  readonly stamps: number[];
  /** For each skill, which start it was found from. */
  readonly starts: number[];
  /** Directories that were listed. */
  readonly entered: readonly string[];
  readonly enteredStamps: readonly number[];
  readonly links: readonly string[];
  readonly targets: readonly string[];
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

export interface SnapshotPlace {
  readonly file: string;
  /** What the snapshot is of: all that decides which skills there are beside the files. */
  readonly key: string;
}

const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

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
export function recallSnapshot(
  world: World,
  { file, key }: SnapshotPlace,
  scopes: readonly Scope[],
): Discovery | undefined {
  const read = readText(file, MAX_SNAPSHOT_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const snapshot: Snapshot = JSON.parse(read.text);
    if (snapshot.build !== BUILD || snapshot.key !== key || !isWhole(snapshot)) return undefined;
    const { directories, stamps, starts, errors, warnings } = snapshot;
    // Before the first name and behind the last description there is a separator.
    const words = starts.length === 0 ? [] : snapshot.texts.split(SEPARATOR).slice(1, -1);
    const columns: SkillColumns = { directories, stamps, starts, words };
    if (words.length !== 2 * starts.length || !isAsItWas(snapshot)) return undefined;
    if (!areFilesAsTheyWere(world, columns, scopes)) return undefined;
    return { book: bookOfColumns(columns, snapshot, scopes), errors, warnings, truncated: false };
  } catch {
    // A file or directory that can't be looked at, or a snapshot of another shape.
    return undefined;
  }
}

/** It is nobody's but ours; still a disk may lose a part of it. */
function isWhole({ texts, directories, starts, errors, warnings }: Snapshot): boolean {
  const isLongEnough = Array.isArray(directories) && Array.isArray(starts) && starts.length <= directories.length;
  return isLongEnough && typeof texts === "string" && Array.isArray(errors) && Array.isArray(warnings);
}

function isAsItWas({ entered, enteredStamps, links, targets }: Snapshot): boolean {
  for (let index = 0; index < entered.length; index++) {
    const stats = disk.look(entered[index] as string);
    if (stats === undefined || !isStamp(enteredStamps, index, stats)) return false;
  }
  for (let index = 0; index < links.length; index++) {
    const link = links[index] as string;
    // One that leads nowhere and one that is gone have the same target.
    if (describeTarget(linkTarget(link)) !== targets[index] || disk.look(link) === undefined) return false;
  }
  return true;
}

function areFilesAsTheyWere(world: World, columns: SkillColumns, scopes: readonly Scope[]): boolean {
  const { directories, starts, words, stamps } = columns;
  const tops = scopes.flatMap((scope) => scope.starts.map(({ directory }) => directory));
  const pathAt = pathsIn(columns, scopes);
  let index = 0;
  while (index < directories.length) {
    const end = endOfNeighbours(columns, index);
    const isSame =
      end - index < WORTH_GOING
        ? areSame(index, end, pathAt)
        : within(world, tops[starts[index] as number] as string, (prefix) =>
            areSame(index, end, (at) => prefix + (words[2 * at] as string) + SKILL_FILE_IN),
          );
    if (!isSame) return false;
    index = end;
  }
  return true;

  function areSame(from: number, to: number, path: (index: number) => string): boolean {
    for (let at = from; at < to; at++) {
      const stats = disk.look(path(at));
      if (stats === undefined || !isStamp(stamps, at, stats)) return false;
    }
    return true;
  }
}

/** Of the usual ones, how far those of the same start go. */
function endOfNeighbours({ directories, starts }: SkillColumns, from: number): number {
  let end = from;
  while (end < directories.length && directories[end] === "" && starts[end] === starts[from]) end++;
  return Math.max(end, from + 1);
}
