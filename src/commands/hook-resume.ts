import type { Host, HostEvent } from "../core/hooks/host.ts";
import { viewSession } from "../io/ledger-read.ts";
import type { Workspace } from "../io/workspace.ts";
import { renderResumeReminder } from "../render/resume-reminder.ts";
import type { World } from "../world.ts";
import { composeBodies } from "./hook-news.ts";
import { beginContext } from "./hook-begin.ts";
import { nativeStart } from "./native-load.ts";
import { newsOf, tellDiff } from "./tell-diff.ts";

/** What changed while the session slept; a session that was never told anything begins now. */
export async function tellResume(world: World, workspace: Workspace, host: Host, event: HostEvent): Promise<void> {
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  if (view.session === undefined) {
    // In one part: what the others see of the ledger depends on when they look.
    return beginContext(world, workspace, host, event, false, { index: 1, count: 1 });
  }
  if (!workspace.settings.agents.enabled) return;
  const { delivery, gate } = workspace.settings.agents.resolver;
  const bodies = delivery === "body" ? composeBodies(world, host) : undefined;
  await tellDiff(
    world,
    workspace,
    (diff) => {
      const names = renderResumeReminder(host.element, newsOf(diff));
      const answer = (more: string) => host.tell(event, names + more);
      if (!host.fits(answer(""))) return undefined;
      // The texts behind the names, where there is room.
      const pending = { ...diff.pending, remaining: 0, gone: [] };
      const made = bodies?.(pending, (text) => host.fits(answer(text)));
      const named = made?.named ?? new Set(diff.pending.tell.map(({ path }) => path));
      return { text: answer(made?.text ?? ""), ...(gate === "off" ? {} : { named }) };
    },
    // What the client loads by itself it loads anew.
    async (files) => (await nativeStart(world, workspace, host, event, files)).whole,
  );
}
