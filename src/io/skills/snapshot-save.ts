import { foldCharacters, isPlain } from "../../core/skills/tokens.ts";
import { joinTexts } from "../../core/skills/folded-texts.ts";
import type { Skill, SkillProblem } from "../../core/skills/skill.ts";
import type { World } from "../../world.ts";
import { writeWhole } from "../write-file.ts";
import { SNAPSHOT_RULES_MARK, type FileColumns, type Snapshot, type SnapshotPlace } from "./snapshot.ts";
import { youngestOf } from "./stamps.ts";
import type { Trail } from "./walk.ts";

/** What is this young may change again without its times showing it. */
const RACY_MS = 2_000;

export interface WalkResult {
  readonly skills: readonly Skill[];
  /** The files of `skills`, in their order. */
  readonly good: FileColumns;
  readonly broken: FileColumns;
  readonly trail: Trail;
  readonly errors: readonly SkillProblem[];
  readonly warnings: readonly SkillProblem[];
}

/**
 * Remembers what a walk found.
 *
 * @effect replaces the file; none while something is too young, or where it can't be written
 * @error  none: the next call walks again
 */
export function saveSnapshot(world: World, { file, key }: SnapshotPlace, result: WalkResult): void {
  const { skills, good, broken, trail, errors, warnings } = result;
  const stamps = good.stamps.concat(broken.stamps);
  if (Math.max(youngestOf(stamps), youngestOf(trail.directoryStamps)) > world.now() - RACY_MS) return;
  const texts = joinTexts(skills);
  if (texts === undefined) return;
  const snapshot: Snapshot = {
    rules: SNAPSHOT_RULES_MARK,
    key,
    paths: good.paths.concat(broken.paths),
    stamps,
    starts: good.starts,
    directories: trail.directories,
    directoryStamps: trail.directoryStamps,
    links: trail.links,
    targets: trail.targets,
    texts,
    ...(isPlain(texts) ? {} : { folded: foldCharacters(texts) }),
    errors,
    warnings,
  };
  const written = writeWhole(world, file, JSON.stringify(snapshot), { directoryMode: 0o700, fileMode: 0o600 });
  world.trace("skills-remembered", { file, kind: written.kind });
}
