import { join, resolve } from "node:path";
import { isInside } from "../../core/paths.ts";
import type { JudgedReference } from "../../core/skills/check-skill.ts";
import { firstSegment } from "../../core/skills/reference-target.ts";
import type { Reference } from "../../core/skills/references.ts";
import { disk } from "../disk.ts";

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

/** A link is something, wherever it leads: that is for its own rule. */
function isThere(path: string): boolean {
  try {
    return disk.look(path) !== undefined;
  } catch {
    // A name that is too long, a file where a directory should be: nothing has that path.
    return false;
  }
}
