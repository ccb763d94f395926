import { findHolder } from "../../io/lock.ts";
import type { AgentRun } from "../../schema/agent-run.ts";
import type { World } from "../../world.ts";

/**
 * Whether the process that drives a run is still there.
 *
 * @effect none
 * @error  none
 */
export function isDriven(world: World, { lock, pid }: { lock: AgentRun["lock"]; pid: AgentRun["pid"] }): boolean {
  return lock !== undefined && pid !== undefined && findHolder(world, lock) === pid;
}
