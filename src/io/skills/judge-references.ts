import { join, resolve } from "node:path";
import { isInside } from "../../core/paths.ts";
import type { JudgedReference } from "../../core/skills/check-skill.ts";
import { firstSegment } from "../../core/skills/reference-target.ts";
import type { Reference } from "../../core/skills/references.ts";
import { isThere } from "../is-there.ts";

/**
 * What the references of a skill lead to. What is outside its directory is not looked at.
 *
 * @input  directory: the skill's, canonical
 * @effect none: nothing is opened
 * @error  none
 */
export function judgeReferences(directory: string, references: readonly Reference[]): JudgedReference[] {
  const known = new Map<string, boolean>();

  function exists(path: string): boolean {
    const answer = known.get(path) ?? isThere(path);
    known.set(path, answer);
    return answer;
  }

  return references.map((reference) => {
    const path = resolve(directory, reference.target);
    if (!isInside(directory, path)) return { ...reference, leadsTo: "outside", isRooted: false };
    const isRooted = exists(join(directory, firstSegment(reference.target)));
    return { ...reference, leadsTo: exists(path) ? "something" : "nothing", isRooted };
  });
}
