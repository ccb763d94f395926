import { hasPlugin } from "../config/settings.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { discoverSkills } from "./discover.ts";
import { withoutDisabled } from "./permissions.ts";
import { renderSkillEntry } from "./render.ts";
import { bySignificance, skillsOrDirectories, type Skill, type SkillProblem } from "./skill.ts";

/** The skills that a context is told of at its start. */
export interface Catalogue {
  readonly skills: readonly Skill[];
  /** There are skills that it does not show. */
  readonly truncated: boolean;
}

/** Warns of broken skills. */
export async function gatherCatalogue(world: World, workspace: Workspace): Promise<Catalogue> {
  const { book, errors, warnings, truncated } = await discoverSkills(world, workspace);
  warnOf(world, errors, "can't be used; 'codelia skills list' says why");
  warnOf(world, warnings, "should be repaired; 'codelia skills check' says how");
  const { disabled, initial } = workspace.settings.skills;
  const skills = await pluggedSkills(world, workspace, bySignificance(withoutDisabled(book.all(), disabled)));
  const chosen = chooseCatalogue(skills, initial);
  return { skills: chosen.skills, truncated: chosen.truncated || truncated };
}

function warnOf(world: World, problems: readonly SkillProblem[], rest: string): void {
  const count = new Set(problems.map(({ path }) => path)).size;
  if (count > 0) world.warn(`${skillsOrDirectories(count)} ${rest}`);
}

/** The skills that are shown, after plugins had their say. */
export async function pluggedSkills(
  world: World,
  workspace: Workspace,
  skills: readonly Skill[],
): Promise<readonly Skill[]> {
  if (!hasPlugin(workspace.layers, world.env, "skills:catalog")) return skills;
  const { pluggedCatalog } = await world.extensions();
  return pluggedCatalog(world, workspace, skills);
}

export interface CatalogueLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/**
 * The first skills, as many as fit. The first one that does not fit ends the catalogue: whether a skill is shown must
 * not depend on how long the descriptions after it are.
 *
 * @param skills the most significant first
 */
export function chooseCatalogue(skills: readonly Skill[], { maxEntries, maxBytes }: CatalogueLimits): Catalogue {
  let room = maxBytes;
  const end = skills
    .slice(0, maxEntries)
    .findIndex((skill) => (room -= Buffer.byteLength(renderSkillEntry(skill))) < 0);
  const count = end < 0 ? Math.min(maxEntries, skills.length) : end;
  return { skills: skills.slice(0, count), truncated: count < skills.length };
}
