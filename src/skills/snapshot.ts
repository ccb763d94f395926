import { join } from "node:path";
import { directoryOfRoot } from "../config/user-directories.ts";
import { BUILD } from "../lib/build.ts";
import { disk } from "../lib/fs.ts";
import { shortHash } from "../lib/hash.ts";
import { readText } from "../lib/read-file.ts";
import { within, WORTH_GOING } from "../lib/working-directory.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  bookOfColumns,
  isStamp,
  latestChange,
  pathsIn,
  SKILL_FILE_IN,
  type FileColumns,
  type SkillColumns,
} from "./columns.ts";
import type { Discovery, SkillSearch } from "./discover.ts";
import type { Scope } from "./scopes.ts";
import { splitTexts, type Joined, type JoinedTexts } from "./search-texts.ts";
import type { SkillProblem } from "./skill.ts";
import { describeTarget, linkTarget, type Trail } from "./walk-findings.ts";

/**
 * What a walk found and what it depended on, in a file. It is used as a whole, and only while every file, directory and
 * link that it depended on is unchanged, so it is never older than the files.
 */
interface Snapshot extends JoinedTexts, Omit<Trail, "isUnrepeatable"> {
  readonly build: string;
  readonly key: string;
  /** For the files of skills in the order of the columns, then for those that are not skills. */
  readonly directories: string[];
  readonly stamps: number[];
  /** Of the skills only. */
  readonly starts: number[];
  readonly leaves: number[];
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

export interface SnapshotFile {
  readonly file: string;
  /** Identifies the snapshot by everything that decides which skills exist, besides the files. */
  readonly key: string;
}

/** The same for all working directories that find their skills in the same directories. */
export function snapshotFile(workspace: Workspace, { scopes, ignored, validation }: SkillSearch): SnapshotFile {
  const places = scopes.map(({ boundary, starts }) => [boundary, starts.map(({ directory }) => directory)]);
  const key = JSON.stringify([validation, [...ignored], places]);
  const directory = directoryOfRoot(workspace.userDirectories.cache, workspace.root.directory);
  return { file: join(directory, `skills-${shortHash(key)}.json`), key };
}

export interface WalkResult {
  readonly skills: FileColumns;
  /** Of `skills`, in their order. */
  readonly texts: Joined;
  readonly refused: FileColumns;
  readonly trail: Trail;
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

/** A recent change may be followed by another that its times don't show. */
const RACY_MS = 2_000;

/**
 * Saves the result of a walk that began at a given time. If something changed too recently, or the file can't be
 * written, the next call walks again.
 */
export function saveSnapshot(world: World, { file, key }: SnapshotFile, begunAt: number, result: WalkResult): void {
  const { skills, texts, refused, trail, errors, warnings } = result;
  const stamps = [...skills.stamps, ...refused.stamps];
  const latest = Math.max(latestChange(stamps), latestChange(trail.enteredStamps));
  const leaf = skills.leaves.reduce((left, right) => Math.max(left, right), 0);
  if (Math.max(latest, leaf) > begunAt - RACY_MS) return;
  const snapshot: Snapshot = {
    build: BUILD,
    key,
    directories: [...skills.directories, ...refused.directories],
    stamps,
    starts: skills.starts,
    leaves: skills.leaves,
    entered: trail.entered,
    enteredStamps: trail.enteredStamps,
    links: trail.links,
    targets: trail.targets,
    texts: texts.texts,
    folded: texts.folded,
    ends: texts.ends,
    meanLength: texts.meanLength,
    errors,
    warnings,
  };
  const written = writeWhole(world, file, JSON.stringify(snapshot), { directoryMode: 0o700, fileMode: 0o600 });
  world.trace("skills-remembered", { file, kind: written.kind });
}

const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** The saved result; undefined if there is none, or if anything has changed. */
export function recallSnapshot(
  world: World,
  { file, key }: SnapshotFile,
  scopes: readonly Scope[],
): Discovery | undefined {
  const read = readText(file, MAX_SNAPSHOT_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const snapshot: Snapshot = JSON.parse(read.text);
    if (snapshot.build !== BUILD || snapshot.key !== key || !isWhole(snapshot)) return undefined;
    const { directories, stamps, starts, leaves, errors, warnings } = snapshot;
    const words = splitTexts(snapshot);
    const columns: SkillColumns = { directories, stamps, starts, leaves, words };
    if (words.length !== 2 * starts.length || !isTrailUnchanged(snapshot)) return undefined;
    if (!areFilesUnchanged(world, columns, scopes)) return undefined;
    return { book: bookOfColumns(columns, snapshot, scopes), errors, warnings, truncated: false };
  } catch {
    // A file or directory can't be accessed, or the snapshot has another shape.
    return undefined;
  }
}

/** Nobody else writes it, but a disk may lose part of it. */
function isWhole(snapshot: Snapshot): boolean {
  const { texts, folded, ends, directories, starts, leaves, errors, warnings } = snapshot;
  const isLongEnough = Array.isArray(directories) && Array.isArray(starts) && starts.length <= directories.length;
  return (
    isLongEnough &&
    Array.isArray(leaves) &&
    leaves.length === starts.length &&
    typeof texts === "string" &&
    typeof folded === "string" &&
    Array.isArray(ends) &&
    ends.length === 2 * starts.length &&
    typeof snapshot.meanLength === "number" &&
    Array.isArray(errors) &&
    Array.isArray(warnings)
  );
}

function isTrailUnchanged({ entered, enteredStamps, links, targets }: Snapshot): boolean {
  const areSame = entered.every((path, index) => isUnchanged(path, enteredStamps, index));
  // A dangling link and a removed one have the same target.
  const isSame = (link: string, index: number) =>
    describeTarget(linkTarget(link)) === targets[index] && disk.look(link) !== undefined;
  return areSame && links.every(isSame);
}

function isUnchanged(path: string, stamps: readonly number[], index: number): boolean {
  return isStamp(stamps, index, disk.lookAtExisting(path));
}

function areFilesUnchanged(world: World, columns: SkillColumns, scopes: readonly Scope[]): boolean {
  const { directories, starts, leaves, words, stamps } = columns;
  const tops = scopes.flatMap((scope) => scope.starts.map(({ directory }) => directory));
  const pathAt = pathsIn(columns, scopes);
  for (let from = 0; from < directories.length;) {
    const to = endOfNeighbours(columns, from);
    const areSame =
      to - from < WORTH_GOING
        ? areUnchanged(from, to)
        : within(world, tops[starts[from] as number] as string, (prefix) => areUnchanged(from, to, prefix));
    if (!areSame) return false;
    from = to;
  }
  return true;

  /** @param prefix of a usual file's directory, if not the whole path of where it is */
  function areUnchanged(from: number, to: number, prefix?: string): boolean {
    for (let index = from; index < to; index++) {
      const directory =
        prefix === undefined ? pathAt(index).slice(0, -SKILL_FILE_IN.length) : prefix + (words[2 * index] as string);
      if (!isStamp(stamps, index, disk.lookAtExisting(directory + SKILL_FILE_IN))) return false;
      // Of what is no skill there are no leaves.
      if (leaves[index] && disk.lookAtExisting(directory).ctimeMs !== leaves[index]) return false;
    }
    return true;
  }
}

/** The end of a run of usual files from one start; their skills are siblings. */
function endOfNeighbours({ directories, starts }: SkillColumns, from: number): number {
  const start = starts[from];
  let end = from;
  while (directories[end] === "" && starts[end] === start) end++;
  return Math.max(end, from + 1);
}
