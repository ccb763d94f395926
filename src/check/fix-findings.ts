import type { Finding, Fix } from "./findings.ts";
import { applyFix } from "./apply-fix.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";

/**
 * Repairs what is sure to be right afterwards. What is found after one repair may ask for another, so it is called until
 * it repairs nothing: each repair is tried once.
 *
 * @output of the findings that it is called with, those that are repaired; a warning for each that could not be
 * @effect the files that they name
 * @error  none
 */
export function findingsFixer(world: World, root: string): (findings: readonly Finding[]) => Finding[] {
  const tried = new Set<string>();
  return (findings) => {
    const outcomes = new Map<string, boolean>();
    return findings.filter(({ fix }) => {
      if (fix === undefined) return false;
      // One text may have several findings that one repair does away with.
      const key = JSON.stringify(fix);
      const isFixed = outcomes.get(key) ?? (!tried.has(key) && isApplied(world, root, fix));
      tried.add(key);
      outcomes.set(key, isFixed);
      return isFixed;
    });
  };
}

function isApplied(world: World, root: string, fix: Fix): boolean {
  const outcome = applyFix(world, root, fix);
  if (outcome.kind === "fixed") return true;
  const path = fix.kind === "rename" ? fix.from : fix.path;
  world.warn(`'${visible(path)}' can't be repaired: ${outcome.reason}`);
  return false;
}
