import { compareText } from "../lib/sorting.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { SkillBook } from "./columns.ts";
import type { Validation } from "./header-rules.ts";
import { findScopes, ignoredNames, type Scope } from "./scopes.ts";
import type { SkillProblem } from "./skill.ts";
import { recallSnapshot, snapshotFile, type SnapshotFile } from "./snapshot.ts";

export interface Discovery {
  readonly book: SkillBook;
  /** What is broken, leads out of bounds or exceeds a limit, by path. */
  readonly errors: readonly SkillProblem[];
  /** What is wrong with skills that are listed anyway; empty in strict validation. */
  readonly warnings: readonly SkillProblem[];
  /** A limit was reached: there may be more. */
  readonly truncated: boolean;
}

/** What decides which skills exist, besides the files themselves. */
export interface SkillSearch {
  readonly scopes: readonly Scope[];
  readonly ignored: ReadonlySet<string>;
  readonly validation: Validation;
}

/**
 * Every skill of the working directory: in `.agents/skills` (`skills.directories`) of each directory from the root down, and of the user's
 * home. The result is saved in a snapshot, which is used as long as no file has changed.
 *
 * @param isReread ignore what earlier calls saved
 */
export async function discoverSkills(world: World, workspace: Workspace, isReread = false): Promise<Discovery> {
  const outer: SkillProblem[] = [];
  const scopes = findScopes(world, workspace, outer);
  const { validation } = workspace.settings.skills;
  const search = { scopes, ignored: ignoredNames(workspace), validation };
  const place = snapshotFile(workspace, search);
  const known = isReread ? undefined : recallSnapshot(world, place, scopes);
  const found = known ?? (await collectAnew(world, search, place));
  world.trace("skills", { skills: found.book.size, errors: found.errors.length, remembered: known !== undefined });
  return { ...found, errors: byPath([...outer, ...found.errors]), warnings: byPath(found.warnings) };
}

function byPath(problems: readonly SkillProblem[]): SkillProblem[] {
  return problems.toSorted((left, right) => compareText(left.path, right.path) || (left.line ?? 0) - (right.line ?? 0));
}

/** Loaded only when something has changed. */
async function collectAnew(world: World, search: SkillSearch, place: SnapshotFile): Promise<Discovery> {
  const { collectSkills } = await import("./collect.ts");
  return collectSkills(world, search, place);
}
