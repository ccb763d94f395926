import { pathsOfPrompt } from "../touched/prompt.ts";
import type { Client, ClientEvent } from "../clients/client.ts";
import type { Pending } from "../instructions/pending.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { fullManner } from "./news.ts";
import { skillsOfPrompt } from "../skills/suggest.ts";
import { tellPaths } from "../instructions/tell.ts";

const NO_NEWS: Pending = { tell: [], gone: [], aliases: [], renewed: [], remaining: 0 };

/** What applies to the files that a prompt mentions, where the skills are that it names, and which others may help. */
export async function tellPrompt(
  world: World,
  workspace: Workspace,
  client: Client,
  event: ClientEvent,
  prompt: string,
): Promise<void> {
  const skills = await skillsOfPrompt(world, workspace, prompt);
  const { agents } = workspace.settings;
  const paths = agents.enabled && agents.resolver.enabled ? pathsOfPrompt(prompt, workspace.cwd, world.home) : [];
  const { say } = fullManner(world, workspace, client, event, [], skills);
  const isTold =
    paths.length > 0 &&
    (await tellPaths(
      world,
      workspace,
      paths.map(({ path }) => path),
      say,
    ));
  if (isTold) return;
  const said = say(NO_NEWS, []);
  if (said !== undefined && said.text !== "") world.write(said.text);
}
