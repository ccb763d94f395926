import { hasPlugin } from "../config/config-layers.ts";
import { chooseCatalogue, type Catalogue } from "./catalogue.ts";
import { withoutDisabled } from "./disabled.ts";
import { bySignificance } from "./order.ts";
import type { Skill, SkillProblem } from "./skill.ts";
import type { World } from "../world.ts";
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
  const { book, errors, warnings, truncated } = await discoverSkills(world, workspace);
  warnOf(world, errors, "can't be used; 'codelia skills list' says why");
  warnOf(world, warnings, "should be repaired; 'codelia skills check' says how");
  const { disabled, initial } = workspace.settings.skills;
  const skills = await pluggedSkills(world, workspace, bySignificance(withoutDisabled(book.all(), disabled)));
  const chosen = chooseCatalogue(skills, initial);
  return { skills: chosen.skills, truncated: chosen.truncated || truncated };
}

/**
 * The skills that are shown, as plugins have them.
 *
 * @effect that of plugins, where one has a say in this
 * @error  none
 */
export async function pluggedSkills(
  world: World,
  workspace: Workspace,
  skills: readonly Skill[],
): Promise<readonly Skill[]> {
  if (!hasPlugin(workspace.layers, world.env, "skills:catalog")) return skills;
  const { pluggedCatalog } = await import("../plugins/plugged-skills.ts");
  return pluggedCatalog(world, workspace, skills);
}

function warnOf(world: World, problems: readonly SkillProblem[], rest: string): void {
  const count = new Set(problems.map(({ path }) => path)).size;
  if (count > 0)
    world.warn(`${count === 1 ? "1 skill or skill directory" : `${count} skills or skill directories`} ${rest}`);
}

export type { Catalogue };
