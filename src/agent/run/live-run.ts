import type { HolderState } from "../../lib/lock-holder.ts";
import { findHolder } from "../../lib/lock.ts";
import type { AgentRun } from "../agent-run.ts";
import type { World } from "../../world.ts";

/**
 * Whether the process that drives a run is still there; `unknown` where it may be one of another container.
 *
 * @effect none
 * @error  none
 */
export function driverOf(world: World, { lock, pid }: Pick<AgentRun, "lock" | "pid">): HolderState {
  const holder = lock === undefined ? undefined : findHolder(world, lock);
  return holder?.pid === pid ? (holder?.state ?? "gone") : "gone";
}
