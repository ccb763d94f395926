import { compareText } from "../lib/compare.ts";
import type { SkillBook } from "./columns.ts";
import type { SkillProblem } from "./skill.ts";
import type { World } from "../world.ts";
import type { Workspace } from "../workspace.ts";
import { readEverything } from "./read-all.ts";
import { findScopes, ignoredNames } from "./scopes.ts";
import { recallSnapshot, snapshotPlace } from "./snapshot.ts";

export interface Discovery {
  readonly book: SkillBook;
  /** What is broken, leads out of bounds or lies beyond a limit, by path. */
  readonly errors: readonly SkillProblem[];
  /** What is wrong with skills that are in the book all the same: there are none in strict validation. */
  readonly warnings: readonly SkillProblem[];
  /** A limit bit: there may be more. */
  readonly truncated: boolean;
}

/**
 * Every skill of the working directory: in `.agents/skills` of each directory from the root down to it, and of the
 * user's home.
 *
 * @input  isReread: what was remembered of earlier calls is not believed
 * @effect looks at every skill; reads those that are not as they were; remembers in the user's cache directory what it
 *         read
 * @error  none
 */
export async function discoverSkills(world: World, workspace: Workspace, isReread = false): Promise<Discovery> {
  const outer: SkillProblem[] = [];
  const scopes = findScopes(world, workspace, outer);
  const { validation } = workspace.settings.skills;
  const search = { scopes, ignored: ignoredNames(workspace), validation };
  const place = snapshotPlace(workspace, search);
  const known = isReread ? undefined : recallSnapshot(world, place, scopes);
  const found = known ?? (await readEverything(world, search, place));
  world.trace("skills", { skills: found.book.size, errors: found.errors.length, remembered: known !== undefined });
  return { ...found, errors: byPlace([...outer, ...found.errors]), warnings: byPlace(found.warnings) };
}

function byPlace(problems: readonly SkillProblem[]): SkillProblem[] {
  return problems.toSorted((left, right) => compareText(left.path, right.path) || (left.line ?? 0) - (right.line ?? 0));
}
