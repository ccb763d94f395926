import type { SkillMetadata } from "../../schema/skills.ts";

/** A skill, and how many directories above the working directory it was found; nothing for the user's own. */
export interface PlacedSkill {
  readonly skill: SkillMetadata;
  readonly distance: number;
}

/** By code units, the same everywhere: `localeCompare` depends on who asks. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** What matters most first: repo before user, the nearest first, then by name and path. */
export function bySignificance(skills: readonly PlacedSkill[]): SkillMetadata[] {
  return skills
    .toSorted(
      (left, right) =>
        compareText(left.skill.scope, right.skill.scope) ||
        left.distance - right.distance ||
        compareText(left.skill.name, right.skill.name) ||
        compareText(left.skill.path, right.skill.path),
    )
    .map(({ skill }) => skill);
}
