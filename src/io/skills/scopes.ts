import { join } from "node:path";
import { isInside, ladder, withoutIgnored } from "../../core/paths.ts";
import type { SkillProblem } from "../../core/skills/skill.ts";
import type { World } from "../../world.ts";
import { disk, errnoOf } from "../disk.ts";
import type { Workspace } from "../workspace.ts";
import type { HeaderMemory } from "./header-memory.ts";
import { walkSkills, type FoundSkillFile, type Start, type Walk } from "./walk.ts";

/** What version control keeps for itself: thousands of files, and none of them a skill's. */
const STORES = [".git", ".hg", ".jj", ".svn"];
const NOTHING_THERE = new Set(["ENOENT", "ENOTDIR"]);

type Remember = (owner: string, start: string) => HeaderMemory;

/** The names of directories in which nothing belongs to a skill. */
export function ignoredNames(workspace: Workspace): ReadonlySet<string> {
  return new Set([...workspace.settings.agents.ignore, ...STORES]);
}

/**
 * Walks through the skill directories of the ladder and of the user's home.
 *
 * @input  remember: opens what is remembered of the skills below `start`, for a root or home directory
 * @output whether a limit ended it early
 * @effect `found` and `errors` grow; reads the beginnings of files
 * @error  none
 */
export function walkScopes(
  world: World,
  workspace: Workspace,
  found: Map<string, FoundSkillFile>,
  errors: SkillProblem[],
  remember: Remember,
): boolean {
  const { root, cwd, settings } = workspace;
  const common = { found, errors, ignored: ignoredNames(workspace) };
  const repo: Walk = { ...common, scope: "repo", boundary: realPathOf(root.directory), boundaryName: "the root" };
  const user: Walk = {
    ...common,
    scope: "user",
    boundary: realPathOf(world.home),
    boundaryName: "your home directory",
  };
  const nearestFirst = withoutIgnored(ladder(root.directory, cwd), settings.agents.ignore).toReversed();
  // The user's skills are the user's also where the home directory is the root.
  const isHome = (directory: string) => realPathOf(directory) === user.boundary;
  const own = skillDirectoriesOf(user, world.home === "" ? [] : [world.home], remember);
  const others = skillDirectoriesOf(repo, nearestFirst, remember, isHome);
  const limits = [walkSkills(repo, others), walkSkills(user, own)];
  return limits.includes(true);
}

/** Those that exist and are inside the boundary. */
function skillDirectoriesOf(
  walk: Walk,
  directories: readonly string[],
  remember: Remember,
  isPassedOver: (directory: string) => boolean = () => false,
): Start[] {
  return directories.flatMap((directory, distance) => {
    const path = join(directory, ".agents", "skills");
    try {
      if (disk.lookThrough(path)?.isDirectory() !== true || isPassedOver(directory)) return [];
      const real = disk.realPath(path);
      if (isInside(walk.boundary, real)) {
        return [{ directory: real, distance, memory: remember(walk.boundary, real) }];
      }
      walk.errors.push({
        path,
        message: `it is a link that leads outside ${walk.boundaryName}`,
        rule: "skill-unreadable",
      });
    } catch (error) {
      const errno = errnoOf(error);
      if (!NOTHING_THERE.has(errno)) {
        walk.errors.push({ path, message: `it can't be looked at (${errno})`, rule: "skill-unreadable" });
      }
    }
    return [];
  });
}

function realPathOf(path: string): string {
  try {
    return disk.realPath(path);
  } catch {
    // Then nothing below it has one either.
    return path;
  }
}
