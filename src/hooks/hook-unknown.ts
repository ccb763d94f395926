import type { Host, HostEvent } from "../clients/host.ts";
import { viewSession } from "../ledger/ledger-read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { beginContext } from "./hook-begin.ts";

/**
 * Begins a context that no event has begun.
 *
 * @output false for a context that is known
 * @effect prints; the ledger
 * @error  none
 */
export async function beginUnknown(world: World, workspace: Workspace, host: Host, event: HostEvent): Promise<boolean> {
  const { session, context } = workspace.key;
  const view = viewSession(workspace.root.directory, session, workspace.places, world.home);
  if (Object.hasOwn(view.session?.contexts ?? {}, context)) return false;
  await beginContext(world, workspace, host, event, false, { index: 1, count: 1 }, true);
  return true;
}
