import { endMarked } from "../../lib/marked-processes.ts";
import type { World } from "../../world.ts";

/** Set for everything that a run starts, to a value that no other query has. */
export const RUN_VARIABLE = "CODELIA_AGENT_RUN";

/** @param mark of the run, where it has one: by that, all that its queries started is found together */
export function queryMarker(world: World, mark = ""): { readonly name: string; readonly value: string } {
  return { name: RUN_VARIABLE, value: `${mark}.${world.random()}` };
}

/**
 * Ends what a run has started and left behind.
 *
 * @output whether there was anything; never where there is no /proc
 * @effect waits until it is gone
 * @error  none
 */
export function endStartedBy(world: World, mark: string): boolean {
  return endMarked(world, RUN_VARIABLE, `${mark}.`);
}

/** Whether this process was started by a run: another one inside it would multiply, so it is refused. */
export function isInsideRun(world: World): boolean {
  return (world.env[RUN_VARIABLE] ?? "") !== "";
}
