import { join } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { entriesOf, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { SkillProblem } from "./skill.ts";

/** Where skills are searched for. */
export interface Scope {
  readonly scope: SkillScope;
  /** Canonical; nothing outside is read. */
  readonly boundary: string;
  /** What messages call the boundary. */
  readonly boundaryName: string;
  /** The existing skill directories inside the boundary, nearest first. */
  readonly starts: readonly ScopeStart[];
}

export interface ScopeStart {
  /** Canonical. */
  readonly directory: string;
  /** Directories between it and the working directory; 0 for the user's own. */
  readonly distance: number;
}

/** Version control's own directories: thousands of files, none of them a skill's. */
const STORES = [".git", ".hg", ".jj", ".svn"];

/** The names of directories in which nothing belongs to a skill. */
export function ignoredNames(workspace: Workspace): ReadonlySet<string> {
  return new Set([...workspace.settings.agents.ignore, ...STORES]);
}

/**
 * The skill directories of the ladder and of the user's home.
 *
 * @effect adds to `errors`
 */
export function findScopes(world: World, workspace: Workspace, errors: SkillProblem[]): Scope[] {
  const { root, cwd, settings } = workspace;
  const canonical = (path: string) => realPathOf(path) ?? path;
  const home = canonical(world.home);
  const repo = { scope: "repo", boundary: canonical(root.directory), boundaryName: "the root" } as const;
  const user = { scope: "user", boundary: home, boundaryName: "your home directory" } as const;
  const nearestFirst = withoutIgnored(ladder(root.directory, cwd), settings.agents.ignore).toReversed();
  // If the home directory is the root, its skills are still the user's.
  const isHome = (directory: string) => canonical(directory) === home;
  const inner = settings.skills.directories;
  return [
    { ...repo, starts: startsIn(repo, nearestFirst, inner, errors, isHome) },
    { ...user, starts: startsIn(user, world.home === "" ? [] : [world.home], inner, errors, () => false) },
  ];
}

function startsIn(
  { boundary, boundaryName }: Omit<Scope, "starts">,
  directories: readonly string[],
  inner: readonly string[],
  errors: SkillProblem[],
  isPassedOver: (directory: string) => boolean,
): ScopeStart[] {
  const starts: ScopeStart[] = [];
  const seen = new Set<string>();
  for (const [distance, parent] of directories.entries()) {
    for (const name of inner) look(distance, parent, name);
  }
  return starts;

  function look(distance: number, parent: string, name: string): void {
    const path = join(parent, name);
    const refuse = (message: string) => errors.push({ path, message, rule: "skill-unreadable", severity: "error" });
    try {
      // Usually there is none, which takes one lookup.
      const itself = disk.look(path);
      if (itself === undefined || isPassedOver(parent)) return;
      const target = itself.isSymbolicLink() ? disk.lookThrough(path) : itself;
      if (target === undefined) refuse("it is a link that leads nowhere; correct or remove it");
      else if (target.isDirectory()) {
        const directory = disk.realPath(path);
        if (!isInside(boundary, directory))
          refuse(`it is a link that leads outside ${boundaryName}; put a copy in its place`);
        else if (!seen.has(directory)) starts.push({ directory, distance });
        seen.add(directory);
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== "ENOENT" && errno !== "ENOTDIR") refuse(`it can't be accessed (${errno}); check its permissions`);
    }
  }
}

const MAX_DEPTH = 32;
const MAX_ENTRIES = 200_000;

export interface SkillDirectories {
  /** The directories that may contain skills, from the top down. */
  readonly places: readonly string[];
  /** A limit was reached: there may be more. */
  readonly isCut: boolean;
}

/**
 * The directories at or below one, outside those with an ignored name, in which discovery would find skills if they
 * were the working directory. Discovery itself only looks upwards; this finds the skills of a whole repository.
 */
export function directoriesWithSkills(
  directory: string,
  ignored: ReadonlySet<string>,
  inner: readonly string[] = [".agents/skills"],
): SkillDirectories {
  const first = new Set(inner.map((path) => path.split("/")[0]));
  const places: string[] = [];
  let level = [directory];
  let entriesLeft = MAX_ENTRIES;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { places, isCut: true };
    const next: string[] = [];
    for (const path of level) {
      const entries = entriesOf(path);
      entriesLeft -= entries.length;
      if (entriesLeft < 0) return { places, isCut: true };
      for (const entry of entries) {
        if (first.has(entry.name) && places.at(-1) !== path) places.push(path);
        if (entry.name !== ".agents" && entry.isDirectory() && !ignored.has(entry.name))
          next.push(join(path, entry.name));
      }
    }
    level = next;
  }
  return { places, isCut: false };
}
