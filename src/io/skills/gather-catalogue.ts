import { chooseCatalogue, type Catalogue } from "../../core/skills/catalogue.ts";
import type { World } from "../../world.ts";
import type { Workspace } from "../workspace.ts";
import { discoverSkills } from "./discover.ts";

/**
 * What a context is told of skills at its start.
 *
 * @output the skills that fit into the initial catalogue, and whether there are more
 * @effect reads directories and the headers of skills; a warning when skills are broken or a limit bit
 * @error  none
 */
export async function gatherCatalogue(world: World, workspace: Workspace): Promise<Catalogue> {
  const { skills, errors, truncated } = await discoverSkills(world, workspace);
  const places = errors.length === 1 ? "1 skill or skill directory" : `${errors.length} skills or skill directories`;
  if (errors.length > 0) world.warn(`${places} can't be used; 'codelia skills list' says why`);
  const chosen = chooseCatalogue(skills, workspace.settings.skills.initial);
  return { skills: chosen.skills, truncated: chosen.truncated || truncated };
}

export type { Catalogue };
