import { statOf } from "../lib/path-facts.ts";
import { ownProfile } from "../clients/choose.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import { readEvidence } from "../ledger/evidence-read.ts";
import { locateLedger } from "../ledger/location.ts";
import { readLedger } from "../ledger/read.ts";
import { disabledNames } from "../skills/permissions.ts";
import { discoverSkills } from "../skills/discover.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import { adviceFrom } from "./advice.ts";
import { ownFiles } from "./overview.ts";
import { placesWithSkills } from "./page/skills.ts";
import { surveyProject } from "./project.ts";
import type { Report } from "./report-schema.ts";
import { usageOf, type PresentSkill } from "./usage.ts";

/**
 * How a project's instruction files and skills were used in its recorded sessions.
 *
 * @input  since: what is older does not count
 * @effect only reads
 */
export async function reportOn(world: World, workspace: Workspace, since: number): Promise<Report> {
  const { root, settings } = workspace;
  const own = ownProfile(world, workspace);
  const { places } = surveyProject(world, workspace, [own]);
  const files = [...new Set(ownFiles(places).map(({ path }) => path))];
  const present = files.map((path) => ({ path, sizeBytes: statOf(path)?.size ?? 0 }));
  const usage = usageOf(evidenceSince(world, workspace, since), present, await skillsOf(world, workspace));
  return { root: root.directory, since, ...usage, advice: adviceFrom(usage, settings.agents.resolver) };
}

function evidenceSince(world: World, { root, userDirectories }: Workspace, since: number) {
  const location = locateLedger(root.directory, userDirectories, world.home);
  const read = readLedger(location);
  const all = read.kind === "ledger" ? readEvidence(location, read.ledger.tree) : [];
  return all.filter(({ at }) => at >= since);
}

/** The project's own skills, in all its directories. */
async function skillsOf(world: World, workspace: Workspace): Promise<PresentSkill[]> {
  const { enabled, disabled } = workspace.settings.skills;
  if (!enabled) return [];
  const isDisabled = disabledNames(disabled);
  const places = placesWithSkills(workspace, [ownProfile(world, workspace)], world, diskFacts(world));
  const skills = new Map<string, PresentSkill>();
  for (const directory of new Set([workspace.root.directory, ...places])) {
    const { book } = await discoverSkills(world, { ...workspace, cwd: directory });
    for (const { name, path, scope } of book.all()) {
      if (scope === "repo" && !isDisabled(name)) skills.set(path, { name, path });
    }
  }
  return [...skills.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
}
