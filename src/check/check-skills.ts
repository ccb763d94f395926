import { basename, dirname } from "node:path";
import type { Finding } from "./findings.ts";
import { isInside } from "../lib/paths.ts";
import { finding } from "./rules.ts";
import { checkSkill } from "./check-skill.ts";
import { discoveryFinding } from "./discovery-findings.ts";
import { duplicateNameFinding } from "./duplicate-names.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { gatherFacts } from "./gather-facts.ts";
import { findNamedPath } from "../skills/named-path.ts";
import { SKILL_FILE } from "../skills/columns.ts";
import { surveySkills, type Surveyed } from "./skill-survey.ts";
import type { Workspace } from "../workspace.ts";
import { findFrameTags } from "../instructions/body.ts";
import type { World } from "../world.ts";

export type SkillsCheck =
  | { readonly kind: "checked"; readonly findings: readonly Finding[]; readonly checked: number }
  | { readonly kind: "no-skill"; readonly word: string };

/**
 * Checks the skills of the working directory and of the user, or those that the words name: a directory stands for
 * the skills in it, a file for the skill that it belongs to.
 *
 * @input  words: paths, relative to the working directory
 * @output what was found; or a word that names no skill
 * @effect reads
 * @error  none
 */
export async function checkSkills(world: World, workspace: Workspace, words: readonly string[]): Promise<SkillsCheck> {
  const { surveyed, cut } = await surveySkills(world, workspace, words);
  const places: string[] = [];
  for (const word of words) {
    const place = findNamedPath(workspace.cwd, word);
    if (place === undefined || !surveyed.some(({ path }) => isMeantBy(place, path))) return { kind: "no-skill", word };
    places.push(place);
  }
  const asked = surveyed.filter(({ path }) => words.length === 0 || places.some((place) => isMeantBy(place, path)));
  const message = "it holds too many files and directories to look for skills in all of them";
  const findings = cut.map((path) => finding("skill-limit", { path, line: 1, message }));
  const ignored = ignoredNames(workspace);
  for (const each of asked) findings.push(...(await checkSurveyed(each, ignored, workspace.root.directory)));
  return { kind: "checked", findings, checked: asked.length };
}

/** What is wrong with one skill, by its text and by what discovery says. */
export async function checkSurveyed(
  surveyed: Surveyed,
  ignored: ReadonlySet<string>,
  root: string,
): Promise<Finding[]> {
  const { path, description, hasText, problems, duplicate } = surveyed;
  const read = hasText ? await gatherFacts(path, ignored, isInside(root, path) ? root : undefined) : undefined;
  const text = read?.kind === "read" ? read.facts.text : undefined;
  const findings = [
    ...problems.map(({ problem, severity }) => discoveryFinding(problem, severity)),
    ...(duplicate === undefined ? [] : [duplicateNameFinding(duplicate, text)]),
  ];
  if (read?.kind === "unusable") findings.push(finding("skill-unreadable", { path, line: 1, message: read.reason }));
  if (read?.kind !== "read") return findings;
  return [...findings, ...checkSkill({ ...read.facts, description, frameTags: findFrameTags(read.facts.text) })];
}

/** Whether a place is a skill's file, a directory above it, or something in the skill's directory. */
function isMeantBy(place: string, path: string): boolean {
  return isInside(place, path) || (basename(path) === SKILL_FILE && isInside(dirname(path), place));
}
