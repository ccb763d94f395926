import { dirname, join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import { isInside, ladder, withoutIgnored } from "../../core/paths.ts";
import { bySignificance, type PlacedSkill } from "../../core/skills/order.ts";
import type { SkillCatalog, SkillLoadError } from "../../schema/skills.ts";
import type { World } from "../../world.ts";
import { disk, errnoOf } from "../disk.ts";
import type { Workspace } from "../workspace.ts";
import { readHeader } from "./read-header.ts";
import { walkSkills, type FoundSkillFile, type Start, type Walk } from "./walk.ts";

/** What version control keeps for itself: thousands of files, and none of them a skill's. */
const STORES = [".git", ".hg", ".jj", ".svn"];
const NOTHING_THERE = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Every skill of the working directory: in `.agents/skills` of each directory from the root down to it, and of the
 * user's home.
 *
 * @output the skills, the most significant first; what is broken, leads out of bounds or lies beyond a limit is an
 *         entry in `errors`, and `truncated` says that a limit bit
 * @effect reads directories and the headers of skills
 * @error  none
 */
export async function discoverSkills(world: World, workspace: Workspace): Promise<SkillCatalog> {
  const found = new Map<string, FoundSkillFile>();
  const errors: SkillLoadError[] = [];
  const truncated = walkScopes(world, workspace, found, errors);
  const skills: PlacedSkill[] = [];
  for (const { path, scope, distance, directoryNames } of found.values()) {
    const header = await readHeader(path, directoryNames);
    if (header.kind === "invalid") {
      errors.push({ path, message: header.message });
      continue;
    }
    const { name, description, mtimeMs } = header;
    skills.push({
      skill: { id: shortHash(path), name, description, path, dir: dirname(path), scope, mtimeMs },
      distance,
    });
  }
  world.trace("skills", { skills: skills.length, errors: errors.length });
  return { skills: bySignificance(skills), errors, truncated };
}

/** The names of directories in which nothing belongs to a skill. */
export function ignoredNames(workspace: Workspace): ReadonlySet<string> {
  return new Set([...workspace.settings.agents.ignore, ...STORES]);
}

function walkScopes(
  world: World,
  workspace: Workspace,
  found: Map<string, FoundSkillFile>,
  errors: SkillLoadError[],
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
  const own = skillDirectoriesOf(user, world.home === "" ? [] : [world.home]);
  const others = skillDirectoriesOf(repo, nearestFirst, isHome);
  const limits = [walkSkills(repo, others), walkSkills(user, own)];
  return limits.includes(true);
}

/** Those that exist and are inside the boundary. */
function skillDirectoriesOf(
  walk: Walk,
  directories: readonly string[],
  isPassedOver: (directory: string) => boolean = () => false,
): Start[] {
  return directories.flatMap((directory, distance) => {
    const path = join(directory, ".agents", "skills");
    try {
      if (disk.lookThrough(path)?.isDirectory() !== true || isPassedOver(directory)) return [];
      const real = disk.realPath(path);
      if (isInside(walk.boundary, real)) return [{ directory: real, distance }];
      walk.errors.push({ path, message: `it is a link that leads outside ${walk.boundaryName}` });
    } catch (error) {
      const errno = errnoOf(error);
      if (!NOTHING_THERE.has(errno)) walk.errors.push({ path, message: `it can't be looked at (${errno})` });
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
