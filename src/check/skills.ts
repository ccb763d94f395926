import { SKILL_FILE } from "../skills/skill.ts";
import { findFrameTags } from "../instructions/body.ts";
import { isInside } from "../lib/paths.ts";
import { textPositions } from "../lib/text-positions.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { realPathOf } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Finding } from "./findings.ts";
import { finding } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { gatherFacts } from "./skill-facts.ts";
import { surveySkills, surveyFrom, type DuplicateName, type Surveyed } from "./skill-survey.ts";
import { checkSkill, keyOffset, skillParts } from "./skill.ts";
import { basename, dirname, resolve } from "node:path";

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

/** What is wrong with one skill, by its text and by what discovery says. */
export function checkSurveyed(surveyed: Surveyed, ignored: ReadonlySet<string>, root: string): Finding[] {
  const { path, description, hasText, problems, duplicate } = surveyed;
  const read = hasText ? gatherFacts(path, ignored, isInside(root, path) ? root : undefined) : undefined;
  const text = read?.kind === "read" ? read.facts.text : undefined;
  const findings = [...problems, ...(duplicate === undefined ? [] : [duplicateNameFinding(duplicate, text)])];
  if (read?.kind === "unusable") findings.push(finding("skill-unreadable", { path, message: read.reason }));
  if (read?.kind !== "read") return findings;
  return [...findings, ...checkSkill({ ...read.facts, description, frameTags: findFrameTags(read.facts.text) })];
}

/** Whether a place is a skill's file, a directory above it, or something in the skill's directory. */
function isMeantBy(place: string, path: string): boolean {
  return isInside(place, path) || (basename(path) === SKILL_FILE && isInside(dirname(path), place));
}

export interface ProjectSkillsCheck extends FamilyCheck {
  /** What the skills of the project are called, as far as their headers can be read. */
  readonly names: readonly string[];
}

/**
 * What is wrong with the skills of a repository; the user's own are not looked at.
 *
 * @effect reads; what was read is remembered in the user's cache directory
 * @error  none
 */
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

/** @param text the file's, where it could be read: it tells the line */
export function duplicateNameFinding(
  { path, name, others, otherCount }: DuplicateName,
  text: string | undefined,
): Finding {
  const { line } = textPositions(text ?? "")(text === undefined ? 0 : keyOffset(text, skillParts(text), "name"));
  const shown = others.map((other) => `'${other}'`);
  const more = otherCount > others.length ? ` and ${otherCount - others.length} more` : "";
  const message = `'${name}' is also the name of ${shown.join(", ")}${more}`;
  // One more of the name is a finding where it stands, and no other one here.
  return finding("skill-duplicate-name", {
    path,
    line,
    message,
    remedy: "rename one, with its directory",
    concerns: others,
    about: name,
  });
}
