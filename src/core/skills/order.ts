import type { Skill } from "./skill.ts";

/** By code units, the same everywhere: `localeCompare` depends on who asks. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** What matters most first: repo before user, the nearest first, then by name and path. */
export function bySignificance(skills: readonly Skill[]): Skill[] {
  return skills.toSorted(
    (left, right) =>
      compareText(left.scope, right.scope) ||
      left.distance - right.distance ||
      compareText(left.name, right.name) ||
      compareText(left.path, right.path),
  );
}
