import { dirname, resolve } from "node:path";
import { isDirectory } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import { discoverSkills } from "../skills/discover.ts";
import { directoriesWithSkills, ignoredNames } from "../skills/scopes.ts";
import type { SkillProblem } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { findDuplicateNames, type DuplicateName } from "./duplicate-names.ts";

/** What discovery found at a path. */
export interface Surveyed {
  /** Of a skill, or of a directory that may contain some. */
  readonly path: string;
  /** There is text to check, even if its header can't be used. */
  hasText: boolean;
  name: string | undefined;
  description: string | undefined;
  readonly problems: SkillProblem[];
  duplicate: DuplicateName | undefined;
}

export interface Survey {
  readonly surveyed: readonly Surveyed[];
  /** Directories too large to search completely. */
  readonly cut: readonly string[];
}

/**
 * The skills that discovery finds from the working directory, from the directory of each named file, and from every
 * directory below each named one.
 *
 * @param words paths, relative to the working directory
 */
export async function surveySkills(world: World, workspace: Workspace, words: readonly string[]): Promise<Survey> {
  const { starts, cut } = startsOf(workspace, words);
  return { surveyed: await surveyFrom(world, workspace, starts), cut };
}

/** The skills that discovery finds from several directories, each path once. */
export async function surveyFrom(world: World, workspace: Workspace, starts: Iterable<string>): Promise<Surveyed[]> {
  const known = new Map<string, Surveyed>();

  function at(path: string): Surveyed {
    const fresh = { path, hasText: false, name: undefined, description: undefined, problems: [], duplicate: undefined };
    const surveyed = known.get(path) ?? fresh;
    known.set(path, surveyed);
    return surveyed;
  }

  for (const cwd of starts) {
    const { book, errors, warnings } = await discoverSkills(world, { ...workspace, cwd });
    const skills = book.all();
    for (const { path, name, description } of skills) Object.assign(at(path), { hasText: true, name, description });
    for (const problem of errors) {
      const surveyed = at(problem.path);
      surveyed.problems.push(problem);
      if (isAboutHeader(problem)) surveyed.hasText = true;
    }
    for (const problem of warnings) at(problem.path).problems.push(problem);
    for (const duplicate of findDuplicateNames(skills)) {
      const surveyed = at(duplicate.path);
      // From a package below, more skills of the name are found.
      if (duplicate.otherCount > (surveyed.duplicate?.otherCount ?? 0)) surveyed.duplicate = duplicate;
    }
  }
  return [...known.values()];
}

function startsOf(workspace: Workspace, words: readonly string[]): { starts: ReadonlySet<string>; cut: string[] } {
  const starts = new Set([workspace.cwd]);
  const cut: string[] = [];
  const root = workspace.root.directory;
  for (const word of words) {
    const path = resolve(workspace.cwd, word);
    const directory = isDirectory(path) ? path : dirname(path);
    starts.add(directory);
    // Discovery finds nothing of the project outside its root.
    const top = isInside(directory, root) ? root : directory;
    if (directory !== path || !isInside(root, top)) continue;
    const { places, isCut } = directoriesWithSkills(
      top,
      ignoredNames(workspace),
      workspace.settings.skills.directories,
    );
    for (const place of places) starts.add(place);
    if (isCut) cut.push(top);
  }
  return { starts, cut };
}

function isAboutHeader({ rule }: SkillProblem): boolean {
  return rule !== "skill-unreadable" && rule !== "skill-limit" && rule !== "skill-nested";
}
