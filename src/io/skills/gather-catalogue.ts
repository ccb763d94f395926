import { chooseCatalogue, type Catalogue } from "../../core/skills/catalogue.ts";
import { withoutDisabled } from "../../core/skills/disabled.ts";
import { bySignificance } from "../../core/skills/order.ts";
import type { SkillProblem } from "../../core/skills/skill.ts";
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
  const { book, errors, warnings, truncated } = await discoverSkills(world, workspace);
  warnOf(world, errors, "can't be used; 'codelia skills list' says why");
  warnOf(world, warnings, "should be repaired; 'codelia skills check' says how");
  const { disabled, initial } = workspace.settings.skills;
  const chosen = chooseCatalogue(bySignificance(withoutDisabled(book.all(), disabled)), initial);
  return { skills: chosen.skills, truncated: chosen.truncated || truncated };
}

function warnOf(world: World, problems: readonly SkillProblem[], rest: string): void {
  const count = new Set(problems.map(({ path }) => path)).size;
  if (count > 0)
    world.warn(`${count === 1 ? "1 skill or skill directory" : `${count} skills or skill directories`} ${rest}`);
}

export type { Catalogue };
