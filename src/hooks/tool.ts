import { fits } from "../clients/events.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import type { Pending } from "../instructions/pending.ts";
import {
  announced,
  reminderText,
  reminderMessage,
  subjectOf,
  weighPaths,
  type ComposeMessage,
  type Message,
  type Occasion,
  type Touching,
  type Weighing,
} from "../instructions/tell.ts";
import { tellOnce } from "../ledger/tell.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { nearbyPlaces, ownLook, pathsOf, plainlyShown, touchedPaths, type ToolUse } from "./tool-paths.ts";

/**
 * Blocks a tool from loading a forbidden skill. Otherwise tells what applies to the paths that the tool is about to
 * touch, except what the tool or the client will show anyway.
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
  if (mayForbidSkills(workspace, client, use)) {
    const { refuseSkill } = await import("./skill.ts");
    if (await refuseSkill(world, workspace, client, event, use)) return;
  }
  const about = await weighTool(world, workspace, client, event, use);
  if (about !== undefined) await tellOnce(world, workspace, about.decide, about.lookCloser);
}

/** What there is to tell of the paths that the tool is about to touch; undefined if it touches none. */
export async function weighTool(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  use: ToolUse,
): Promise<Weighing | undefined> {
  const { enabled, resolver } = workspace.settings.agents;
  // It would be told by a refusal, which only the user's config allows.
  const isMute = client.refusesToTell === true && resolver.gate === "off";
  const touched = enabled && resolver.enabled && !isMute ? await touchedPaths(world, workspace, use) : [];
  if (touched.length === 0) return undefined;
  const paths = pathsOf(touched);
  const occasion: Occasion = { cwd: workspace.cwd, touched, more: "next-call" };
  const touching: Touching = {
    // The model will know the text of a file that it reads or writes.
    known: plainlyShown(use, touched),
    places: nearbyPlaces,
    own: ownLook(world, workspace, client, paths),
    find: async (files, places, session) => {
      const { filesSeen, ownNames, touchOf } = await import("./shown.ts");
      if (places.length > 0) {
        const { findNearby } = await import("./skill.ts");
        const touch = touchOf(use, touched);
        occasion.nearby = await findNearby(world, workspace, client, places, session, touch ? [touch] : []);
      }
      occasion.names = await ownNames(client, files);
      const seen = await filesSeen(world, workspace, client, event, use, touched, files);
      // What the client only names does not open a scope for edits.
      const isGated = resolver.gate === "edit" && touched.some(({ access }) => access === "write");
      return new Set(Array.from(seen).flatMap(([path, how]) => (isGated && how === "named" ? [] : path)));
    },
  };
  if (resolver.delivery === "paths" && resolver.gate === "off" && client.refusesToTell === undefined) {
    const compose: ComposeMessage = (pending, _, places) => nameFiles(client, event, pending, occasion, places);
    return weighPaths(world, workspace, paths, compose, touching);
  }
  const { reminderComposer } = await import("./reminder.ts");
  const { compose, due } = reminderComposer(world, workspace, client, event, occasion, use);
  return weighPaths(world, workspace, paths, compose, { ...touching, due });
}

/** Without a rule or a disabled skill the check costs nothing. A config that can't be used may contain one. */
function mayForbidSkills({ layers, settings, lostConfig }: Workspace, { skillTool }: Client, use: ToolUse): boolean {
  for (const { config } of layers) if (config.permissions !== undefined) return true;
  // A disabled skill may be read.
  const mayBeDisabled = settings.skills.disabled.length > 0 && skillTool?.nameIn(use.tool, use.input) !== undefined;
  return mayBeDisabled || lostConfig !== undefined;
}

function nameFiles(
  client: Client,
  event: ClientEvent,
  pending: Pending,
  occasion: Occasion,
  places: readonly string[],
): Message | undefined {
  const text = reminderText(client.element, pending, occasion);
  const { text: skills, covered } = announced(occasion, places, (more) => fits(client, text + more));
  // Print nothing at all: even an empty answer would be an empty message.
  if (text === "") return { text: skills === "" ? "" : client.tell(event, skills), covered };
  const message = reminderMessage("agents.resolve.paths", text, (whole) =>
    fits(client, whole + skills) ? client.tell(event, whole + skills) : undefined,
  );
  return message && { ...message, covered, isEdit: subjectOf(occasion, pending.tell).isWrite };
}
