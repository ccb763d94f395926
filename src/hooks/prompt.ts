import type { Client, ClientEvent } from "../clients/client.ts";
import type { Pending } from "../instructions/pending.ts";
import { tellPaths } from "../instructions/tell.ts";
import { skillsOfPrompt } from "../skills/prompt.ts";
import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { fullManner } from "./news.ts";

const NOTHING_PENDING: Pending = { tell: [], gone: [], aliases: [], renewed: [], remaining: 0 };

/** Tells what applies to the files that a prompt mentions, where the skills that it names are, and which others may help. */
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
  const { say } = fullManner(world, workspace, client, event, [], skills);
  if (paths.length > 0 && (await tellPaths(world, workspace, paths, say))) return;
  const said = say(NOTHING_PENDING, []);
  if (said !== undefined && said.text !== "") world.write(said.text);
}
