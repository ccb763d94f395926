import type { Client, ClientEvent } from "../clients/client.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import type { Pending } from "../instructions/pending.ts";
import { tellPaths, type Occasion } from "../instructions/tell.ts";
import { skillsOfPrompt, type PromptSkills } from "../skills/prompt.ts";
import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { nearbyPlaces, ownLook } from "./tool-paths.ts";
import { reminderComposer } from "./reminder.ts";

const NOTHING_PENDING: Pending = { tell: [], changed: [], gone: [], aliases: [], renewed: [], remaining: 0 };

/**
 * Tells which instructions apply to the files that a prompt mentions, where the skills that it names are, and which
 * others may help.
 */
export async function tellPrompt(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  prompt: string,
): Promise<void> {
  const skills = await skillsOfPrompt(world, workspace, prompt);
  const { agents } = workspace.settings;
  const mentioned = agents.enabled && agents.resolver.enabled ? pathsOfPrompt(prompt, workspace.cwd, world.home) : [];
  const paths = mentioned.map(({ path }) => path);
  const occasion: Occasion = { cwd: workspace.cwd, touched: mentioned, more: "next-call" };
  const { compose } = reminderComposer(world, workspace, client, event, occasion, undefined, skills);
  if (paths.length > 0) {
    const look = async (files: readonly InstructionFile[]) => {
      const { filesMentioned, ownNames } = await import("./shown.ts");
      occasion.names = await ownNames(client, files);
      return filesMentioned(world, workspace, client, mentioned, files);
    };
    const isTold = await tellPaths(world, workspace, paths, compose, {
      known: new Set(),
      places: nearbyPlaces,
      own: ownLook(world, workspace, client, paths),
      find: async (files, places, session) => {
        if (places.length > 0) {
          const [{ findNearby }, { mentionsOf }] = await Promise.all([import("./skill.ts"), import("./shown.ts")]);
          occasion.nearby = await findNearby(world, workspace, client, places, session, mentionsOf(mentioned));
        }
        return new Set((await look(files)).keys());
      },
    });
    const { recordSeen } = await import("./record-tool.ts");
    await recordSeen(world, workspace, client, mentioned, async (files) => ({
      seen: await look(files),
      written: new Set(),
    }));
    if (isTold) return noteSuggested(world, workspace, skills);
  }
  const message = compose(NOTHING_PENDING, [], []);
  if (message === undefined || message.text === "") return;
  world.write(message.text);
  await noteSuggested(world, workspace, skills);
}

async function noteSuggested(world: World, workspace: Workspace, { suggested }: PromptSkills): Promise<void> {
  if (suggested.length === 0) return;
  const { noteSkills } = await import("../ledger/evidence.ts");
  noteSkills(
    world,
    workspace,
    "found",
    suggested.map(({ path }) => path),
  );
}
