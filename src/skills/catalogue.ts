import { hasPlugin } from "../config/settings.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { withoutDisabled } from "./disabled.ts";
import { discoverSkills } from "./discover.ts";
import { bySignificance, type Skill, type SkillProblem } from "./skill.ts";

export interface CatalogueLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface Catalogue {
  readonly skills: readonly Skill[];
  /** There are skills that it does not show. */
  readonly truncated: boolean;
}

/** The markup of one entry as it is printed, without the four texts in it; a test holds it to the renderer. */
const MARKUP_BYTES = 109;

/** What is printed as an escape, at most this many bytes longer than it is. */
const PLAIN = /^[ -%'-;=?-~]*$/;

const ESCAPED = /[&<>\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const ESCAPE_BYTES = 5;

/**
 * The skills that fit into the initial catalogue, in the order given. The first one that does not fit ends it:
 * whether a skill is shown must not depend on how long the descriptions after it are.
 *
 * @param skills the most significant first
 */
export function chooseCatalogue(skills: readonly Skill[], limits: CatalogueLimits): Catalogue {
  let room = limits.maxBytes;
  let count = 0;
  for (const skill of skills.slice(0, limits.maxEntries)) {
    room -= entryBytes(skill);
    if (room < 0) break;
    count++;
  }
  return { skills: skills.slice(0, count), truncated: count < skills.length };
}

/** The bytes that an entry takes when printed, or a few more where characters must be escaped. */
export function entryBytes({ name, description, path, scope }: Skill): number {
  const text = name + description + path + scope;
  if (PLAIN.test(text)) return MARKUP_BYTES + text.length;
  return MARKUP_BYTES + new TextEncoder().encode(text).length + ESCAPE_BYTES * (text.match(ESCAPED)?.length ?? 0);
}

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
  const { pluggedCatalog } = await world.extensions();
  return pluggedCatalog(world, workspace, skills);
}

function warnOf(world: World, problems: readonly SkillProblem[], rest: string): void {
  const count = new Set(problems.map(({ path }) => path)).size;
  if (count > 0)
    world.warn(`${count === 1 ? "1 skill or skill directory" : `${count} skills or skill directories`} ${rest}`);
}
