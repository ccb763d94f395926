import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { SkillScope } from "../config/schema.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { SkillProblem } from "./skill.ts";

/** What version control keeps for itself: thousands of files, and none of them a skill's. */
const STORES = [".git", ".hg", ".jj", ".svn"];

const NOTHING_THERE = new Set(["ENOENT", "ENOTDIR"]);

/** Where skills are looked for. */
export interface Scope {
  readonly scope: SkillScope;
  /** Canonical; nothing outside is looked at. */
  readonly boundary: string;
  /** What the boundary is to the user. */
  readonly boundaryName: string;
  /** The skill directories that exist and are inside, the nearest first. */
  readonly starts: readonly ScopeStart[];
}

export interface ScopeStart {
  /** Canonical. */
  readonly directory: string;
  /** Directories between it and the working directory; nothing for the user's own. */
  readonly distance: number;
}

/** The names of directories in which nothing belongs to a skill. */
export function ignoredNames(workspace: Workspace): ReadonlySet<string> {
  return new Set([...workspace.settings.agents.ignore, ...STORES]);
}

/**
 * The skill directories of the ladder, and of the user's home.
 *
 * @effect `errors` grows; nothing is opened
 * @error  none
 */
export function findScopes(world: World, workspace: Workspace, errors: SkillProblem[]): Scope[] {
  const { root, cwd, settings } = workspace;
  const home = realPathOf(world.home);
  const repo = { scope: "repo", boundary: realPathOf(root.directory), boundaryName: "the root" } as const;
  const user = { scope: "user", boundary: home, boundaryName: "your home directory" } as const;
  const nearestFirst = withoutIgnored(ladder(root.directory, cwd), settings.agents.ignore).toReversed();
  // The user's skills are the user's also where the home directory is the root.
  const isHome = (directory: string) => realPathOf(directory) === home;
  return [
    { ...repo, starts: startsIn(repo, nearestFirst, errors, isHome) },
    { ...user, starts: startsIn(user, world.home === "" ? [] : [world.home], errors, () => false) },
  ];
}

function startsIn(
  { boundary, boundaryName }: Omit<Scope, "starts">,
  directories: readonly string[],
  errors: SkillProblem[],
  isPassedOver: (directory: string) => boolean,
): ScopeStart[] {
  const starts: ScopeStart[] = [];
  for (const [distance, directory] of directories.entries()) {
    const path = join(directory, ".agents", "skills");
    try {
      // Where there is none, which is the usual, one look says so.
      const itself = disk.look(path);
      if (itself === undefined || isPassedOver(directory)) continue;
      const reached = itself.isSymbolicLink() ? disk.lookThrough(path) : itself;
      if (reached === undefined) {
        errors.push({
          path,
          message: "it is a link that leads nowhere; correct or remove it",
          rule: "skill-unreadable",
        });
        continue;
      }
      if (!reached.isDirectory()) continue;
      const real = disk.realPath(path);
      if (isInside(boundary, real)) starts.push({ directory: real, distance });
      else {
        const message = `it is a link that leads outside ${boundaryName}; put a copy in its place`;
        errors.push({ path, message, rule: "skill-unreadable" });
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (NOTHING_THERE.has(errno)) continue;
      errors.push({
        path,
        message: `it can't be looked at (${errno}); let its readers read it`,
        rule: "skill-unreadable",
      });
    }
  }
  return starts;
}

function realPathOf(path: string): string {
  try {
    return disk.realPath(path);
  } catch {
    // Then nothing below it has one either.
    return path;
  }
}

const MAX_DEPTH = 32;

const MAX_ENTRIES = 200_000;

/** What discovery looks for skills in. */
const AGENTS_DIRECTORY = ".agents";

export interface SkillPlaces {
  /** The directories that may hold skills, from the top down. */
  readonly places: readonly string[];
  /** A limit bit: there may be more. */
  readonly isCut: boolean;
}

/**
 * The directories below one, itself included, that discovery would look for skills in if they were the working
 * directory. It looks upwards from there; this is for whoever wants those of a whole repository.
 *
 * @input  directory: absolute; ignored: names of directories that are not entered
 * @effect reads directories; follows no link
 * @error  none: what can't be looked into holds no skill
 */
export function findSkillPlaces(directory: string, ignored: ReadonlySet<string>): SkillPlaces {
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
        if (entry.name === AGENTS_DIRECTORY) places.push(path);
        else if (entry.isDirectory() && !ignored.has(entry.name)) next.push(join(path, entry.name));
      }
    }
    level = next;
  }
  return { places, isCut: false };
}

function entriesOf(path: string): Dirent[] {
  try {
    return disk.list(path);
  } catch {
    return [];
  }
}
