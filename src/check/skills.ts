import { basename, dirname, resolve } from "node:path";
import { isInside } from "../lib/paths.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { SKILL_FILE } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { duplicateNameFinding } from "./duplicate-names.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { readSkillFacts } from "./skill-facts.ts";
import { surveyFrom, surveySkills, type Surveyed } from "./skill-survey.ts";
import { checkSkill } from "./skill.ts";

export type SkillsCheck =
  | { readonly kind: "checked"; readonly findings: readonly Finding[]; readonly checked: number }
  | { readonly kind: "no-skill"; readonly word: string };

/**
 * Checks the skills of the working directory and of the user, or those that the words name: a directory stands for
 * the skills in it, a file for the skill that it belongs to.
 *
 * @param words paths, relative to the working directory
 */
export async function checkSkills(world: World, workspace: Workspace, words: readonly string[]): Promise<SkillsCheck> {
  const { surveyed, cut } = await surveySkills(world, workspace, words);
  const places: string[] = [];
  for (const word of words) {
    const place = realPathOf(resolve(workspace.cwd, word));
    if (place === undefined || !surveyed.some(({ path }) => isMeantBy(place, path))) return { kind: "no-skill", word };
    places.push(place);
  }
  const asked = surveyed.filter(({ path }) => words.length === 0 || places.some((place) => isMeantBy(place, path)));
  const message = "it holds too many files and directories to look for skills in all of them";
  const findings = cut.map((path) => finding("skill-limit", { path, message }));
  const ignored = ignoredNames(workspace);
  for (const each of asked) findings.push(...checkSurveyed(each, ignored, workspace.root.directory));
  return { kind: "checked", findings, checked: asked.length };
}

/** Checks one skill, by its text and by what discovery found. */
function checkSurveyed(surveyed: Surveyed, ignored: ReadonlySet<string>, root: string): Finding[] {
  const { path, description, hasText, problems, duplicate } = surveyed;
  const read = hasText ? readSkillFacts(path, ignored, isInside(root, path) ? root : undefined) : undefined;
  const text = read?.kind === "read" ? read.facts.text : undefined;
  const findings = [...problems, ...(duplicate === undefined ? [] : [duplicateNameFinding(duplicate, text)])];
  if (read?.kind === "unusable") findings.push(finding("skill-unreadable", { path, message: read.reason }));
  if (read?.kind !== "read") return findings;
  return [...findings, ...checkSkill({ ...read.facts, description })];
}

/** Whether a place is a skill's file, a directory above it, or something in the skill's directory. */
function isMeantBy(place: string, path: string): boolean {
  return isInside(place, path) || (basename(path) === SKILL_FILE && isInside(dirname(path), place));
}

export interface ProjectSkillsCheck extends FamilyCheck {
  /** Of the project's skills, as far as their headers can be read. */
  readonly names: readonly string[];
}

/** The rules about the skills of a repository. The user's own skills are left out. */
export async function checkProjectSkills(world: World, scene: CheckScene): Promise<ProjectSkillsCheck> {
  const { workspace, root, asked, walked } = scene;
  const places = walked.skillPlaces;
  const surveyed = await surveyFrom({ ...world, home: "" }, workspace, places);
  const own = surveyed.filter(({ path }) => isInside(root, path) && !walked.isIgnored(path));
  const findings = [];
  const ignored = ignoredNames(workspace);
  const meant = own.filter(({ path }) => asked.some((place) => isInside(place, path)));
  for (const each of meant) findings.push(...checkSurveyed(each, ignored, root));
  return { findings, checked: meant.map(({ path }) => path), names: own.flatMap(({ name }) => name ?? []) };
}
