import type { RuleId } from "../check/rules.ts";
import { compareText } from "../lib/sorting.ts";
import { messageWithLine, type Diagnostic } from "../lib/diagnostic.ts";
import { shortHash } from "../lib/hash.ts";
import type { SkillLoadError, SkillMetadata } from "./schema.ts";

export const SKILL_FILE = "SKILL.md";

/** A skill as it was found. Its id is computed where it is printed: of thousands, few are. */
export interface Skill extends Omit<SkillMetadata, "id"> {
  /** Directories between where it was found and the working directory; 0 for the user's own. */
  readonly distance: number;
  /** The ctime of its SKILL.md, which unlike `mtimeMs` nobody can set. */
  readonly changedMs?: number;
}

/** A problem that the skill's author should fix. */
export type SkillProblem = Diagnostic<RuleId>;

/** The public form of a skill. */
export function withId({ name, description, path, dir, scope, mtimeMs }: Skill): SkillMetadata {
  return { id: shortHash(path), name, description, path, dir, scope, mtimeMs };
}

/** The public form of a problem. */
export function asLoadError(problem: SkillProblem): SkillLoadError {
  return { path: problem.path, message: messageWithLine(problem) };
}

/** What problems are about, with their number. */
export function skillsOrDirectories(count: number): string {
  return count === 1 ? "1 skill or skill directory" : `${count} skills or skill directories`;
}

/** Most significant first: repo before user, the nearest first, then by name and path. */
export function bySignificance(skills: readonly Skill[]): Skill[] {
  return skills.toSorted(
    (left, right) =>
      compareText(left.scope, right.scope) ||
      left.distance - right.distance ||
      compareText(left.name, right.name) ||
      compareText(left.path, right.path),
  );
}
