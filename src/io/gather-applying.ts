import type { Applying } from "../core/pending.ts";
import { hasPlugin } from "../core/config-layers.ts";
import type { World } from "../world.ts";
import { gatherInstructions, type Target } from "./gather-instructions.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The instruction files that apply somewhere, as plugins have them.
 *
 * @input  targets: as for `gatherInstructions`
 * @effect that of plugins, where one has a say in this
 * @error  none
 */
export function gatherApplying(
  world: World,
  workspace: Workspace,
  targets: readonly Target[],
): Applying | Promise<Applying> {
  const found = gatherInstructions(world, workspace, targets);
  if (!hasPlugin(workspace.layers, world.env, "agents:chain")) return found;
  return import("./plugins/plugged-chain.ts").then(({ pluggedChain }) =>
    pluggedChain(world, workspace, targets, found),
  );
}
