import { foreignRoot } from "../instructions/root.ts";
import { visible } from "../lib/escape.ts";
import { didYouMean } from "../lib/nearest.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { ClientProfile } from "./client.ts";
import { OWN_PROFILE, rawProfile } from "./raw-profile.ts";
import { loadProfiles, PROFILE_NAMES } from "./registry.ts";

/** What `--as` takes where it may name codelia itself, too. */
export const CHOICES: readonly string[] = [OWN_PROFILE, ...PROFILE_NAMES];

/** The profiles of a list of names with commas, each once; all of them without a list; or what is wrong with it. */
export async function chooseProfiles(
  world: World,
  workspace: Workspace,
  names: string | undefined,
): Promise<readonly ClientProfile[] | string> {
  const all = [ownProfile(world, workspace), ...(await loadProfiles())];
  if (names === undefined) return all;
  const chosen: ClientProfile[] = [];
  for (const name of new Set(names.split(",").map((word) => word.trim()))) {
    const found = all.find((client) => client.name === name);
    if (found === undefined) return unknownClient(name, CHOICES);
    chosen.push(found);
  }
  return chosen;
}

export function unknownClient(name: string, known: readonly string[]): string {
  return `unknown client '${visible(name)}'${didYouMean(name, known) || `; one of ${known.join(", ")}`}`;
}

/** What codelia itself tells. */
function ownProfile(world: World, workspace: Workspace): ClientProfile {
  const { root, settings, places } = workspace;
  return rawProfile({
    agents: settings.agents,
    homeDirectory: places.global,
    rootOf: (cwd) =>
      isInside(root.directory, cwd) ? root.directory : (foreignRoot(workspace, world, cwd)?.directory ?? cwd),
  });
}
