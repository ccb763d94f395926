import type { Finding } from "./findings.ts";
import { isInside } from "../lib/paths.ts";
import type { ClientProfile } from "../clients/client.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { checkAgents } from "./agents.ts";
import { checkClientConfigs } from "./client-configs.ts";
import { checkClients, checkOwnNames } from "./clients.ts";
import { checkConfig } from "./config.ts";
import { checkHooks } from "./hooks.ts";
import { enabledFindings } from "./disable-comments.ts";
import { checkInstructions } from "./instructions.ts";
import { atLevels, checkLevels, isIgnoredByCheck } from "./levels.ts";
import { deliveredByHooks, hookedClients, presentClients } from "./present-clients.ts";
import { OFF_BY_DEFAULT, RULES } from "./rules.ts";
import type { CheckScene, FamilyCheck } from "./scene.ts";
import { openCheckScene } from "./scene.ts";

export interface RepositoryCheck {
  readonly findings: readonly Finding[];
  /** How many files were checked. */
  readonly checked: number;
  /** Canonical, like `asked`: the paths to which the check was limited. */
  readonly root: string;
  readonly asked: readonly string[];
}

/**
 * Runs all families of rules on one walk through a repository. A new family is a function from the scene to its
 * findings, and a line here.
 *
 * @param paths of files or directories inside the root, absolute
 * @param clients to check for; by default those that are there
 */
export async function checkRepository(
  world: World,
  workspace: Workspace,
  paths: readonly string[],
  clients: readonly ClientProfile[] | undefined,
  isQuiet: boolean,
): Promise<RepositoryCheck> {
  const scene = await openCheckScene(world, workspace, paths, isQuiet);
  const { root, asked } = scene;
  const skills = await skillsOf(world, scene);
  const meantClients = clients ?? (await presentClients(world, workspace, scene));
  const hooked = await hookedClients(world, workspace, meantClients);
  const isDelivered = deliveredByHooks(world, workspace, hooked);
  const texts = checkInstructions(scene);
  const families: FamilyCheck[] = [
    texts,
    checkClients(world, scene, meantClients, { isDelivered, ofOthers: texts.ofOthers }),
    await checkOwnNames(scene),
    skills,
    await listingsOf(world, scene, meantClients, hooked),
    await checkConfig(world, scene, skills.names),
    await checkHooks(world, scene),
    await checkClientConfigs(world, scene),
    await checkAgents(world, scene),
  ];
  const isAsked = (path: string) => asked.some((place) => isInside(place, path));
  const levels = checkLevels(workspace.layers);
  const isMeant = (path: string) => isAsked(path) && !isIgnoredByCheck(levels, path, root);
  const found = withoutFollowing(families.flatMap((family) => family.findings)).filter(({ path }) => isMeant(path));
  const checked = families.flatMap((family) => family.checked).filter(isMeant);
  const enabled = enabledFindings(found, checked, RULES, scene.instructions.texts);
  const findings = atLevels(enabled, levels, root, OFF_BY_DEFAULT);
  return { root, asked, findings, checked: checked.length };
}

/** A file that should be a link hides another only until it is one: that is no finding of its own. */
function withoutFollowing(findings: readonly Finding[]): Finding[] {
  const lost = new Set(findings.flatMap(({ rule, path }) => (rule === "instructions-lost-link" ? [path] : [])));
  const isFollowing = ({ path, concerns = [] }: Finding) => [path, ...concerns].some((place) => lost.has(place));
  return findings.filter((found) => found.rule !== "instructions-shadowed" || !isFollowing(found));
}

/** Without skills, the code for them is not loaded. */
async function skillsOf(world: World, scene: CheckScene): Promise<FamilyCheck & { readonly names: readonly string[] }> {
  const { workspace, walked } = scene;
  if (!workspace.settings.skills.enabled || (walked.skillDirectories.length === 0 && walked.skillFiles.length === 0)) {
    return { findings: [], checked: [], names: [] };
  }
  const { checkProjectSkills } = await import("./skills.ts");
  return checkProjectSkills(world, scene);
}

async function listingsOf(
  world: World,
  scene: CheckScene,
  clients: readonly ClientProfile[],
  hooked: ReadonlySet<string>,
): Promise<FamilyCheck> {
  const { workspace, walked } = scene;
  if (!workspace.settings.skills.enabled || walked.skillDirectories.length === 0) return { findings: [], checked: [] };
  const { checkSkillLists } = await import("./skill-lists.ts");
  return checkSkillLists(world, scene, clients, hooked);
}
