import type { Finding } from "./findings.ts";
import { isInside } from "../lib/paths.ts";
import type { ClientProfile } from "../clients/client.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { checkAgents } from "./agents.ts";
import { checkClients } from "./clients.ts";
import { checkConfig } from "./config.ts";
import { checkHooks } from "./hooks.ts";
import { checkInstructions } from "./instructions.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { openCheckScene } from "./scene.ts";

export interface RepositoryCheck {
  readonly findings: readonly Finding[];
  /** How many files were checked. */
  readonly checked: number;
  /** Canonical, like `asked`: the paths that the check was limited to. */
  readonly root: string;
  readonly asked: readonly string[];
}

/**
 * Runs all families of rules over one walk through a repository. A further family is a function from the scene to its
 * findings, and a line here.
 *
 * @param paths of files or directories inside the root, absolute
 */
export async function checkRepository(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  clients: readonly ClientProfile[],
  isQuiet: boolean,
): Promise<RepositoryCheck> {
  const scene = await openCheckScene(world, workspace, paths, isQuiet);
  const { root, asked } = scene;
  const skills = await skillsOf(world, scene);
  const families: FamilyCheck[] = [
    checkInstructions(scene),
    checkClients(world, scene, clients),
    skills,
    await checkConfig(world, scene, skills.names),
    await checkHooks(world, scene),
    await checkAgents(world, scene),
  ];
  const isAsked = (path: string) => asked.some((place) => isInside(place, path));
  const findings = families.flatMap((family) => family.findings).filter((found) => isAsked(found.path));
  const checked = families.flatMap((family) => family.checked).filter(isAsked);
  return { root, asked, findings, checked: checked.length };
}

/** Without skills, the code about them is not loaded. */
async function skillsOf(world: World, scene: CheckScene): Promise<FamilyCheck & { readonly names: readonly string[] }> {
  const { workspace, walked } = scene;
  if (!workspace.settings.skills.enabled || walked.skillPlaces.length === 0) {
    return { findings: [], checked: [], names: [] };
  }
  const { checkProjectSkills } = await import("./skills.ts");
  return checkProjectSkills(world, scene);
}
