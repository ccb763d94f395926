import { isInside } from "../lib/paths.ts";
import { ignoredNames } from "../skills/scopes.ts";
import { surveyFrom } from "./skill-survey.ts";
import type { World } from "../world.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";
import { checkSurveyed } from "./check-skills.ts";

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
  const meant = own.filter(({ path }) => isInside(asked, path));
  for (const each of meant) findings.push(...(await checkSurveyed(each, ignored, root)));
  return { findings, checked: meant.map(({ path }) => path), names: own.flatMap(({ name }) => name ?? []) };
}
