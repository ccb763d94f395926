import type { World } from "../world.ts";
import { decideWithPlugins } from "./decide-with-plugins.ts";
import { printUnrecorded, type Decide } from "./telling.ts";
import type { Workspace } from "./workspace.ts";

/**
 * `tellOnce` without a ledger: says what there is to say to a context that knows nothing.
 *
 * @input, @output as `tellOnce`
 * @effect prints
 * @error  none
 */
export async function tellUnrecorded(
  world: World,
  workspace: Workspace,
  decide: Decide,
  prepare: (() => Promise<void>) | undefined,
): Promise<boolean> {
  const telling = decide(undefined);
  if (telling === undefined) return false;
  await prepare?.();
  const decideLast = await decideWithPlugins(world, workspace, decide);
  const isSame = prepare === undefined && decideLast === decide;
  return printUnrecorded(world, isSame ? telling : decideLast(undefined));
}
