import type { Host, HostEvent } from "../core/hooks/host.ts";
import { viewSession } from "../io/ledger-read.ts";
import type { Workspace } from "../io/workspace.ts";
import type { World } from "../world.ts";
import { beginContext } from "./hook-begin.ts";
import { sayDiff, tellDiff } from "./tell-diff.ts";

/** What changed while the session slept; a session that was never told anything begins now. */
export async function tellResume(world: World, workspace: Workspace, host: Host, event: HostEvent): Promise<void> {
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  if (view.session === undefined) {
    // In one part: what the others see of the ledger depends on when they look.
    return beginContext(world, workspace, host, event, false, { index: 1, count: 1 });
  }
  if (!workspace.settings.agents.enabled) return;
  await tellDiff(world, workspace, (diff) =>
    sayDiff(host.element, diff, (text) => {
      const answer = host.tell(event, text);
      return host.fits(answer) ? answer : undefined;
    }),
  );
}
