import { fits } from "../clients/events.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import { nativeStart } from "../clients/native-load.ts";
import { diffText, tellDiff } from "../instructions/resume.ts";
import { reminderMessage } from "../instructions/tell.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { beginContext } from "./begin.ts";
import { composeBodies, roomBeside } from "./news.ts";

/** Tells what has changed since the session was left; a session that was never told anything begins now. */
export async function tellResume(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
): Promise<void> {
  const view = viewSession(workspace.root.directory, workspace.key.session, workspace.places, world.home);
  // A session that was reset has no contexts.
  if (Object.keys(view.session?.contexts ?? {}).length === 0) {
    // In one part: processes that answer the other parts may find the ledger changed already.
    return beginContext(world, workspace, client, event, false, { index: 1, count: 1 });
  }
  if (!workspace.settings.agents.enabled) return;
  const { delivery, gate } = workspace.settings.agents.resolver;
  const bodies = delivery === "body" ? composeBodies(world, client) : undefined;
  const within = (text: string) => (fits(client, text) ? client.tell(event, text) : undefined);
  await tellDiff(
    world,
    workspace,
    (diff) => {
      const names = diffText(client.element, diff);
      if (within(names) === undefined) return undefined;
      // The texts follow the names, if there is room.
      const pending = { ...diff.pending, remaining: 0, gone: [] };
      const made = bodies?.(pending, roomBeside(client.limit, names));
      const named = made?.named ?? new Set(diff.pending.tell.map(({ path }) => path));
      const said = reminderMessage("session.resume.diff", names + (made?.text ?? ""), within);
      return said && { ...said, ...(gate === "off" ? {} : { named }) };
    },
    // The client loads its own files again.
    async (files) => (await nativeStart(world, workspace, client, event, files)).whole,
  );
}
