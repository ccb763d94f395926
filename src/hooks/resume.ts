import { fits } from "../clients/events.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import { nativeStart } from "../clients/native-load.ts";
import { diffText, tellDiff } from "../instructions/resume.ts";
import { reminderMessage } from "../instructions/tell.ts";
import { findContext } from "../ledger/contexts.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { beginContext, isBegun } from "./begin.ts";
import type { Part } from "./part.ts";
import { composeBodies, roomBeside } from "./reminder.ts";

/** Tells what has changed since the session was left. A session that was never told anything begins now. */
export async function tellResume(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  part: Part,
): Promise<void> {
  const { key, root, userDirectories } = workspace;
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  const known = Object.hasOwn(session?.contexts ?? {}, key.context) ? findContext(session, key.context) : undefined;
  // The process that answers another part may already have begun it.
  if (known === undefined || isBegun(world, known, event, part)) {
    return beginContext(world, workspace, client, event, { inherits: false, once: true }, part);
  }
  // Only a beginning has more to print than one answer holds.
  if (part.index > 1 || !workspace.settings.agents.enabled) return;
  const { delivery, gate } = workspace.settings.agents.resolver;
  const bodies = delivery === "body" ? composeBodies(world, client) : undefined;
  const within = (text: string) => (fits(client, text) ? client.tell(event, text) : undefined);
  await tellDiff(
    world,
    workspace,
    (diff) => {
      const names = diffText(client.element, diff);
      if (within(names) === undefined) return undefined;
      // File texts follow the names if there is room.
      const pending = { ...diff.pending, remaining: 0, gone: [] };
      const made = bodies?.(pending, roomBeside(client.limit, names));
      const named = made?.named ?? new Set(diff.pending.tell.map(({ path }) => path));
      const message = reminderMessage("session.resume.diff", names + (made?.text ?? ""), within);
      const isNoted = gate === "edit" || delivery === "escalate";
      return message && { ...message, bare: named, ...(isNoted && { named }) };
    },
    // The client loads its own files again.
    async (files) => (await nativeStart(world, workspace, client, event, files)).whole,
  );
}
