import type { World } from "../../world.ts";

/** Set for everything that a run starts, to a value that no other query has. */
export const RUN_VARIABLE = "CODELIA_AGENT_RUN";

/** Whether this process was started by a run: another one inside it would multiply, so it is refused. */
export function isInsideRun(world: World): boolean {
  return (world.env[RUN_VARIABLE] ?? "") !== "";
}
