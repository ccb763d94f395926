import { BUILD } from "../lib/build.ts";
import type { Joined } from "./texts.ts";
import type { SkillProblem } from "./skill.ts";
import type { World } from "../world.ts";
import { writeWhole } from "../lib/write-file.ts";
import type { FileColumns } from "./columns.ts";
import type { Snapshot, SnapshotPlace } from "./snapshot.ts";
import { youngestOf } from "./stamps.ts";
import type { Trail } from "./walk-findings.ts";

/** What is this young may change again without its times showing it. */
const RACY_MS = 2_000;

export interface WalkResult {
  readonly skills: FileColumns;
  /** Of `skills`, in their order. */
  readonly texts: Joined;
  readonly refused: FileColumns;
  readonly trail: Trail;
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

/**
 * Remembers what a walk found.
 *
 * @input  begunAt: when the walk began
 * @effect replaces the file; none while something is too young, or where it can't be written
 * @error  none: the next call walks again
 */
export function saveSnapshot(world: World, { file, key }: SnapshotPlace, begunAt: number, result: WalkResult): void {
  const {
    skills,
    texts: { texts, folded },
    refused,
    trail,
    errors,
    warnings,
  } = result;
  const stamps = skills.stamps.concat(refused.stamps);
  if (Math.max(youngestOf(stamps), youngestOf(trail.enteredStamps)) > begunAt - RACY_MS) return;
  const snapshot: Snapshot = {
    build: BUILD,
    key,
    directories: skills.directories.concat(refused.directories),
    stamps,
    starts: skills.starts,
    entered: trail.entered,
    enteredStamps: trail.enteredStamps,
    links: trail.links,
    targets: trail.targets,
    texts,
    ...(folded === undefined ? {} : { folded }),
    errors,
    warnings,
  };
  const written = writeWhole(world, file, JSON.stringify(snapshot), { directoryMode: 0o700, fileMode: 0o600 });
  world.trace("skills-remembered", { file, kind: written.kind });
}
