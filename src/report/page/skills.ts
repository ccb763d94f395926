import { join, relative } from "node:path";
import { ownProfile } from "../../clients/choose.ts";
import type { ClientProfile, TreeFacts, UserEnvironment } from "../../clients/client.ts";
import { OWN_PROFILE } from "../../clients/raw-profile.ts";
import { visible } from "../../lib/escape.ts";
import { isInside, ladder, withSlashes } from "../../lib/paths.ts";
import { directoriesWithSkills, ignoredNames } from "../../skills/scopes.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { visibleSkills, type Place } from "../explain.ts";

/** The directories of a project that have skills of their own. */
export function placesWithSkills(
  workspace: Workspace,
  clients: readonly ClientProfile[],
  user: UserEnvironment,
  facts: TreeFacts,
): string[] {
  const { root, settings } = workspace;
  const inner = innerDirectories(workspace, clients, user, facts);
  const { places } = directoriesWithSkills(root.directory, ignoredNames(workspace), [...inner]);
  return settings.skills.enabled
    ? places.filter((place) => [...inner].some((name) => facts.list(join(place, name)).length > 0))
    : [];
}

/** Where clients look for skills in each directory of a project, and codelia too. */
function innerDirectories(
  { root, settings }: Workspace,
  clients: readonly ClientProfile[],
  user: UserEnvironment,
  facts: TreeFacts,
): ReadonlySet<string> {
  const own = clients.flatMap((client) => client.skillDirectories?.(root.directory, user, facts) ?? []);
  const inProject = own.filter((path) => isInside(root.directory, path));
  return new Set([
    ...settings.skills.directories,
    ...inProject.map((path) => withSlashes(relative(root.directory, path))),
  ]);
}

/**
 * The skills that sessions in each directory have, each list once; `at` has a list's number for each place.
 *
 * @effect reads; may cache what it read
 */
export async function skillSets(
  world: World,
  workspace: Workspace,
  places: readonly Place[],
  clients: readonly ClientProfile[],
  facts: TreeFacts,
): Promise<{ readonly sets: readonly object[]; readonly at: readonly number[] }> {
  const all = [...clients.filter(({ name }) => name !== OWN_PROFILE), ownProfile(world, workspace)];
  const holders = new Set(placesWithSkills(workspace, all, world, facts));
  const sets: object[] = [];
  const numbers = new Map<string, number>();
  const at: number[] = [];
  for (const { directory } of places) {
    // A directory without skills of its own has those of the nearest one above it.
    const nearest = ladder(workspace.root.directory, directory).findLast((rung) => holders.has(rung)) ?? "";
    const known = numbers.get(nearest) ?? sets.length;
    numbers.set(nearest, known);
    at.push(known);
    if (known < sets.length) continue;
    const skills = await visibleSkills(world, { ...workspace, cwd: directory }, all, world, facts);
    sets.push(
      skills.map(({ name, path, visibleTo }) => ({
        name: visible(name),
        path: visible(path),
        // codelia names every enabled skill to each client.
        states: clients.map((client) => [visibleTo.includes(client.name), visibleTo.includes(OWN_PROFILE)]),
      })),
    );
  }
  return { sets, at };
}
