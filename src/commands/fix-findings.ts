import type { Finding, Fix } from "../core/findings.ts";
import { applyFix } from "../io/check/apply-fix.ts";
import { visible } from "../render/escape.ts";
import type { World } from "../world.ts";

/**
 * Repairs what is sure to be right afterwards.
 *
 * @output the findings that are repaired; a warning for each that could not be
 * @effect the files that they name
 * @error  none
 */
export function fixFindings(world: World, root: string, findings: readonly Finding[]): Finding[] {
  const outcomes = new Map<string, boolean>();
  return findings.filter(({ fix }) => {
    if (fix === undefined) return false;
    // One text may have several findings that one repair does away with.
    const key = JSON.stringify(fix);
    const isFixed = outcomes.get(key) ?? isApplied(world, root, fix);
    outcomes.set(key, isFixed);
    return isFixed;
  });
}

function isApplied(world: World, root: string, fix: Fix): boolean {
  const outcome = applyFix(world, root, fix);
  if (outcome.kind === "fixed") return true;
  const path = fix.kind === "rename" ? fix.from : fix.path;
  world.warn(`'${visible(path)}' can't be repaired: ${outcome.reason}`);
  return false;
}
