import { dirname, resolve } from "node:path";
import { isInside } from "../lib/paths.ts";
import { compareText } from "../lib/compare.ts";
import type { Skill, SkillProblem } from "../skills/skill.ts";
import type { World } from "../world.ts";
import { isDirectory } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import { discoverSkills } from "../skills/discover.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { findSkillPlaces } from "../skills/scopes.ts";

/** All that discovery has to say of a path. */
export interface Surveyed {
  /** Of a skill or of a directory in which there may be some. */
  readonly path: string;
  /** Whether there is a text to check; one whose header can't be used has one as well. */
  hasText: boolean;
  name: string | undefined;
  description: string | undefined;
  readonly problems: SkillProblem[];
  duplicate: DuplicateName | undefined;
}

export interface Survey {
  readonly surveyed: readonly Surveyed[];
  /** Directories that were not looked through to their ends. */
  readonly cut: readonly string[];
}

/**
 * The skills that discovery finds from the working directory, from the directory of each file that is named, and from
 * every place below each directory that is named.
 *
 * @input  words: paths, relative to the working directory
 * @effect reads directories and the headers of skills
 * @error  none
 */
export async function surveySkills(world: World, workspace: Workspace, words: readonly string[]): Promise<Survey> {
  const { starts, cut } = startsOf(workspace, words);
  return { surveyed: await surveyFrom(world, workspace, starts), cut };
}

/**
 * The skills that discovery finds from several directories. One path is surveyed once, however often it was found.
 *
 * @effect reads directories and the headers of skills
 * @error  none
 */
export async function surveyFrom(world: World, workspace: Workspace, starts: Iterable<string>): Promise<Surveyed[]> {
  const known = new Map<string, Surveyed>();

  function at(path: string): Surveyed {
    const anew = { path, hasText: false, name: undefined, description: undefined, problems: [], duplicate: undefined };
    const surveyed = known.get(path) ?? anew;
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
      // From a package below there are more of the same name.
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
    const { places, isCut } = findSkillPlaces(top, ignoredNames(workspace));
    for (const place of places) starts.add(place);
    if (isCut) cut.push(top);
  }
  return { starts, cut };
}

function isAboutHeader({ rule }: SkillProblem): boolean {
  return rule !== "skill-unreadable" && rule !== "skill-limit";
}

const MAX_SHOWN = 3;

/** A skill that shares its name with others of its scope. */
export interface DuplicateName {
  readonly path: string;
  readonly name: string;
  /** The first of them, by path. */
  readonly others: readonly string[];
  readonly otherCount: number;
}

/** Repo and user are apart: a name in both is ambiguous on one machine, and in nobody's repository. */
export function findDuplicateNames(skills: readonly Skill[]): DuplicateName[] {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) {
    const key = `${skill.scope} ${skill.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [skill]);
    else group.push(skill);
  }
  return [...groups.values()].filter((group) => group.length > 1).flatMap(duplicatesOf);
}

/** Thousands may have one name: not each of them holds all the others. */
function duplicatesOf(group: readonly Skill[]): DuplicateName[] {
  const paths = group.map(({ path }) => path).toSorted(compareText);
  const first = paths.slice(0, MAX_SHOWN + 1);
  return group.map(({ path, name }) => ({
    path,
    name,
    others: first.filter((other) => other !== path).slice(0, MAX_SHOWN),
    otherCount: group.length - 1,
  }));
}
