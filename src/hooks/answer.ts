import type { Client, ClientEvent, PlacedEvent } from "../clients/client.ts";
import { hasPlugin } from "../config/settings.ts";
import { findContext, MAIN_CONTEXT } from "../ledger/contexts.ts";
import { owedTo } from "../ledger/delivery.ts";
import { viewSession } from "../ledger/read.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Part } from "./part.ts";
import { tellTool } from "./tool.ts";

/** An event that a directory has to do with: all but the end of a turn. */
export type Placed = ClientEvent & { readonly what: PlacedEvent };

/**
 * Answers an event, whichever way it came: to a process, to a server, or from a module in the client.
 *
 * @effect prints; the ledger, depending on the event
 */
export function answerIn(world: World, workspace: Workspace, client: Client, event: Placed, part: Part): unknown {
  const { what } = event;
  if (hasPlugin(workspace.layers, world.env, "hook:event")) return actExtended(world, workspace, client, event, part);
  // The most common events.
  if (what.kind === "before-tool" && part.index === 1) return tellTool(world, workspace, client, event, what);
  return act(world, workspace, client, event, part);
}

async function actExtended(
  world: World,
  workspace: Workspace,
  client: Client,
  event: Placed,
  part: Part,
): Promise<void> {
  const { extendEvent } = await world.extensions();
  const what = extendEvent(world, workspace, client.name, event.name, event.what);
  return act(world, workspace, client, { ...event, what }, part);
}

async function act(world: World, workspace: Workspace, client: Client, event: Placed, part: Part): Promise<void> {
  const { what } = event;
  if (what.kind === "begin") {
    const { beginContext, beginLater } = await import("./begin.ts");
    if (part.index === 1) await noteBegun(world, workspace, client, event);
    if (client.startsUntold === true) return beginLater(world, workspace, client, event, { evenUnknown: true });
    return beginContext(world, workspace, client, event, what, part);
  }
  // Only a beginning has more to print than one answer holds, and a resumed session may be unknown.
  if (part.index > 1 && what.kind !== "resume") return;
  switch (what.kind) {
    case "before-tool":
      return void (await tellTool(world, workspace, client, event, what));
    case "after-tool": {
      const { recordTool } = await import("./record-tool.ts");
      await recordTool(world, workspace, client, event, what);
      // No answer is a refusal any more.
      return client.refusesToTell === true ? undefined : carryOn(world, workspace, client, event);
    }
    case "tool": {
      const { recordTool } = await import("./record-tool.ts");
      await recordTool(world, workspace, client, event, what);
      const wasPrinted = await whether(world, (inside) => tellTool(inside, workspace, client, event, what));
      return wasPrinted ? undefined : carryOn(world, workspace, client, event);
    }
    case "prompt": {
      if (what.begins === true) {
        const { beginUnknown } = await import("./begin.ts");
        if (await beginUnknown(world, workspace, client, event)) return noteBegun(world, workspace, client, event);
      }
      if (client.resumesUntold === true && (await tellResumed(world, workspace, client, event, part))) return;
      const { tellPrompt } = await import("./prompt.ts");
      const wasPrinted = await whether(world, (inside) => tellPrompt(inside, workspace, client, event, what.text));
      return wasPrinted ? undefined : carryOn(world, workspace, client, event);
    }
    case "resume": {
      if (client.resumesUntold === true) {
        const { noteResumed } = await import("../clients/heard.ts");
        return noteResumed(world, workspace.userDirectories, client.name, event.session);
      }
      const { tellResume } = await import("./resume.ts");
      return tellResume(world, workspace, client, event, part);
    }
    case "forget": {
      const { beginLater } = await import("./begin.ts");
      return beginLater(world, workspace, client, event);
    }
    case "end-of-context":
    case "end-of-session": {
      const { changeContexts } = await import("./contexts.ts");
      return changeContexts(world, workspace, what.kind);
    }
  }
}

/** For `doctor`: a client may ignore what is installed. */
async function noteBegun(world: World, { userDirectories }: Workspace, client: Client, event: Placed): Promise<void> {
  if (event.context !== MAIN_CONTEXT) return;
  const { noteHeard } = await import("../clients/heard.ts");
  noteHeard(world, userDirectories, client.name, event.channel ?? "command");
}

/** With the first prompt after a session was resumed. */
async function tellResumed(
  world: World,
  workspace: Workspace,
  client: Client,
  event: Placed,
  part: Part,
): Promise<boolean> {
  const { takeResumed } = await import("../clients/heard.ts");
  if (!takeResumed(workspace.userDirectories, client.name, event.session)) return false;
  const { tellResume } = await import("./resume.ts");
  return whether(world, (inside) => tellResume(inside, workspace, client, { ...event, isBare: true }, part));
}

/** Whether something was printed meanwhile: a client accepts one answer. */
async function whether(world: World, tell: (world: World) => unknown): Promise<boolean> {
  let wasPrinted = false;
  const write: World["write"] = (data) => {
    wasPrinted = true;
    return world.write(data);
  };
  await tell({ ...world, write });
  return wasPrinted;
}

/** More of what did not fit when the context began. */
async function carryOn(world: World, workspace: Workspace, client: Client, event: Placed): Promise<void> {
  if (workspace.noState || !isOwedMore(world, workspace)) return;
  const { carryOn: giveMore } = await import("./begin.ts");
  await giveMore(world, workspace, client, event);
}

function isOwedMore(world: World, { key, root, userDirectories }: Workspace): boolean {
  const { session } = viewSession(root.directory, key.session, userDirectories, world.home);
  return owedTo(findContext(session, key.context)) !== undefined;
}
