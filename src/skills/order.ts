import type { Skill } from "./skill.ts";
import { compareText } from "../lib/compare.ts";

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
