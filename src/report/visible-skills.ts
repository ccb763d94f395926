import { dirname } from "node:path";
import type { ClientProfile, ProfilePlace, TreeFacts } from "../clients/client.ts";
import { isInside } from "../lib/paths.ts";
import { disabledNames } from "../skills/disabled.ts";
import { discoverSkills } from "../skills/discover.ts";
import { bySignificance } from "../skills/skill.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { Explanation } from "./schema.ts";

/**
 * The skills of a directory, and which clients list each to their models: codelia those that are not disabled, the
 * others those in their own places.
 *
 * @effect reads; what was read of skills is remembered
 * @error  none
 */
export async function visibleSkills(
  world: World,
  workspace: Workspace,
  clients: readonly ClientProfile[],
  facts: TreeFacts,
): Promise<Explanation["skills"]> {
  const { enabled, disabled } = workspace.settings.skills;
  const { book } = await discoverSkills(world, workspace);
  const place: ProfilePlace = { home: world.home, env: world.env };
  const isDisabled = disabledNames(disabled);
  const placesOf = new Map(
    clients.map((client) => {
      const places = client.skillPlaces?.(workspace.cwd, place, facts);
      return [client.name, places?.flatMap((path) => facts.realPath(path) ?? [])] as const;
    }),
  );
  return bySignificance(book.all()).map(({ name, path, scope }) => {
    const directory = facts.realPath(dirname(path)) ?? dirname(path);
    const visibleTo = clients
      .filter((client) => {
        const places = placesOf.get(client.name);
        return places === undefined
          ? enabled && !isDisabled(name)
          : places.some((parent) => isInside(parent, directory));
      })
      .map((client) => client.name);
    return { name, path, scope, visibleTo };
  });
}
