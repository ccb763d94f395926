import { join } from "node:path";
import { foreignRoot } from "../instructions/root.ts";
import { visible } from "../lib/escape.ts";
import { didYouMean } from "../lib/words.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { isInside } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { ClientProfile } from "./client.ts";
import { OWN_PROFILE, rawProfile } from "./raw-profile.ts";
import { clientNamed, loadProfiles, measuredClients, profileNames } from "./registry.ts";

/** The names that `--as` accepts where codelia itself is allowed too. */
export const CHOICES: readonly string[] = [OWN_PROFILE, ...profileNames(), "all"];
/** The clients that are shown wherever they are used. */
const USUAL: ReadonlySet<string> = new Set(["raw", "claude", "codex"]);

/**
 * The profiles named in a comma-separated list, each once; without a list the usual ones and those with a directory in
 * the project or the home; or what is wrong with it.
 *
 * @effect looks for the directories
 */
export async function chooseProfiles(
  world: World,
  workspace: Workspace,
  names: string | undefined,
): Promise<readonly ClientProfile[] | string> {
  const all = [ownProfile(world, workspace), ...(await loadProfiles())];
  if (names === "all") return all;
  if (names === undefined) {
    const used = new Set(
      measuredClients()
        .filter(({ traces }) => hasOneOf(traces, [workspace.root.directory, world.home]))
        .map(({ name }) => name),
    );
    return all.filter(({ name }) => USUAL.has(name) || used.has(name));
  }
  const chosen: ClientProfile[] = [];
  for (const name of new Set(names.split(",").map((word) => clientNamed(word.trim())))) {
    const found = all.find((client) => client.name === name);
    if (found === undefined) return unknownClient(name, CHOICES);
    chosen.push(found);
  }
  return chosen;
}

function hasOneOf(traces: readonly string[], places: readonly string[]): boolean {
  return places.some((place) => place !== "" && traces.some((trace) => realPathOf(join(place, trace)) !== undefined));
}

export function unknownClient(name: string, known: readonly string[]): string {
  return `unknown client '${visible(name)}'${didYouMean(name, known) || `; one of ${known.join(", ")}`}`;
}

/** What codelia itself tells. */
export function ownProfile(world: World, workspace: Workspace): ClientProfile {
  const { root, settings, userDirectories } = workspace;
  return rawProfile({
    agents: settings.agents,
    homeDirectory: userDirectories.global,
    rootOf: (cwd) =>
      isInside(root.directory, cwd) ? root.directory : (foreignRoot(workspace, world, cwd)?.directory ?? cwd),
  });
}
