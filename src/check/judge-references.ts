import { join, resolve } from "node:path";
import { isInside } from "../lib/paths.ts";
import type { JudgedReference } from "./check-skill.ts";
import { firstSegment } from "./reference-target.ts";
import type { Reference } from "./references.ts";
import { isThere } from "../lib/is-there.ts";

/**
 * What the references of a skill lead to. Outside its directory only what stands in a code span is looked for, which in a
 * project may be named from the root.
 *
 * @input  directory: the skill's, canonical; root: of the project that it is in, if any
 * @effect none: nothing is opened
 * @error  none
 */
export function judgeReferences(directory: string, references: readonly Reference[], root?: string): JudgedReference[] {
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
    const isSomething = exists(path) || (!isRooted && reference.kind === "code" && isFromRoot(reference.target));
    return { ...reference, leadsTo: isSomething ? "something" : "nothing", isRooted };
  });

  function isFromRoot(target: string): boolean {
    const path = root === undefined ? undefined : resolve(root, target);
    return root !== undefined && path !== undefined && isInside(root, path) && exists(path);
  }
}
