import { fits } from "../clients/events.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Pending } from "../instructions/pending.ts";
import { reminderText, reminderMessage, tellPaths, type Message } from "../instructions/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { plainlyShown, touchedPaths, type ToolUse } from "./tool-paths.ts";

/**
 * Keeps a tool from loading a skill that the rules forbid. Otherwise it tells what applies to the paths that the tool is
 * about to touch, except for what the tool itself, or the client with it, shows.
 *
 * @effect prints; the ledger
 */
export async function tellTool(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<void> {
  if (mayForbidSkills(workspace)) {
    const { refuseSkill } = await import("./skill.ts");
    if (await refuseSkill(world, workspace, client, event, use)) return;
  }
  const { enabled, resolver } = workspace.settings.agents;
  const touched = enabled && resolver.enabled ? await touchedPaths(world, workspace, use) : [];
  if (touched.length === 0) return;
  const paths = touched.map(({ path }) => path);
  const unseen = {
    // What the tool reads will be known by its text; what it writes is known to whoever writes it.
    known: plainlyShown(use, touched),
    find: async (files: readonly InstructionFile[]) => {
      const { filesSeen } = await import("./shown.ts");
      return filesSeen(world, workspace, client, use, touched, files);
    },
  };
  if (resolver.delivery === "paths" && resolver.gate === "off") {
    await tellPaths(world, workspace, paths, (pending) => nameFiles(client, event, pending), unseen);
    return;
  }
  const { fullManner } = await import("./news.ts");
  const written = touched.filter(({ access }) => access === "write").map(({ path }) => path);
  const { say, closed } = fullManner(world, workspace, client, event, written);
  await tellPaths(world, workspace, paths, say, { ...unseen, closed });
}

/** Without a permission rule the check costs nothing; a config that can't be used may hold one. */
function mayForbidSkills({ layers, userConfigLost }: Workspace): boolean {
  return userConfigLost || layers.some(({ config }) => config.permissions !== undefined);
}

function nameFiles(client: Client, event: ClientEvent, pending: Pending): Message | undefined {
  const text = reminderText(client.element, pending);
  // Not even an empty answer: it would be an empty message.
  if (text === "") return { text };
  return reminderMessage("agents.resolve.paths", text, (whole) =>
    fits(client, whole) ? client.tell(event, whole) : undefined,
  );
}
