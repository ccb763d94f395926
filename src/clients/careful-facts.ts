import { basename, dirname } from "node:path";
import { isInside } from "../lib/paths.ts";
import type { TreeFacts } from "./client-profile.ts";
import type { World } from "../world.ts";
import { diskFacts } from "./tree-facts.ts";

/** Of all texts together, and of all names that are asked for: a clone may be made to take long. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LOOKUPS = 20_000;
/** What git writes of a linked working tree, wherever its repository is. */
const GIT_LINKS: ReadonlySet<string> = new Set(["gitdir", "commondir"]);
/** Of a file that is not opened is known that it is there. */
const SOMETHING = new TextEncoder().encode("x");

export interface CarefulFacts {
  readonly facts: TreeFacts;
  /** Whether all of the answers were; asked when there are no further questions. */
  isCertain(): boolean;
}

/**
 * Facts for a hook, which nobody has asked for: of a project only what lies in it, links followed, is opened, beside that
 * only the instruction files of the directories above; the files that those name elsewhere count as saying something.
 *
 * @input  root: the project's
 * @effect reads
 * @error  none: what could not be read, or takes too long, makes the answers uncertain
 */
export function carefulFacts(world: Pick<World, "processorTime">, root: string): CarefulFacts {
  let isCertain = true;
  const doubt = () => void (isCertain = false);
  const facts = diskFacts(world, doubt);
  const realRoot = facts.realPath(root) ?? root;
  const opened = new Set<string>();
  let room = MAX_BYTES;
  let lookups = 0;

  const isOurs = (path: string) => isInside(root, path) || isInside(realRoot, path);
  const leadsOut = (path: string) => isOurs(path) && !isInside(realRoot, facts.realPath(path) ?? realRoot);
  function isAbove(path: string): boolean {
    const parent = dirname(path);
    return isInside(basename(parent) === ".claude" ? dirname(parent) : parent, realRoot);
  }

  return {
    isCertain: () => isCertain,
    facts: {
      ...facts,
      at(path) {
        lookups += 1;
        if (lookups <= MAX_LOOKUPS) return facts.at(path);
        doubt();
        return undefined;
      },
      start(path, bytes) {
        const mayOpen = isOurs(path) ? !leadsOut(path) : isAbove(path) || GIT_LINKS.has(basename(path));
        const read = mayOpen && room > 0 ? facts.start(path, Math.min(bytes, room + 1)) : SOMETHING.subarray(0, bytes);
        if (mayOpen && !opened.has(path)) room -= read.length;
        opened.add(path);
        if (room <= 0) doubt();
        return read;
      },
      data(path) {
        if (!leadsOut(path)) return facts.data(path);
        doubt();
        return undefined;
      },
    },
  };
}
