import { dirname, sep } from "node:path";
import { judgeReach } from "./judge-reach.ts";
import type { ClientProfile } from "../clients/client-profile.ts";
import { diskFacts } from "../clients/tree-facts.ts";
import type { World } from "../world.ts";
import type { CheckScene, FamilyCheck } from "./check-scene.ts";

/**
 * What clients make of the instruction files, each judged for a session that begins where the file stands: there at the
 * latest a client reads it, and whoever begins deeper reads no more of it.
 *
 * @effect reads
 * @error  none
 */
export function checkClients(world: World, scene: CheckScene, clients: readonly ClientProfile[]): FamilyCheck {
  const facts = diskFacts(world);
  const place = { home: world.home, env: world.env };
  const findings = clients.flatMap((client) =>
    [...bySession(client, scene)].flatMap(([directory, paths]) => {
      const { files, budget } = client.reach(directory, place, facts);
      return judgeReach({
        client,
        limitBytes: budget?.limitBytes,
        own: files.filter(({ path }) => paths.has(path)),
        all: files.map(({ path }) => path),
      });
    }),
  );
  return { findings, checked: [] };
}

/** The files by the directory that they stand in for a client, which may have one of its own for them in there. */
function bySession({ names }: ClientProfile, { instructions }: CheckScene): Map<string, Set<string>> {
  const sessions = new Map<string, Set<string>>();
  for (const { path } of instructions.candidates) {
    const longest = names
      .filter((name) => path.endsWith(sep + name))
      .toSorted((left, right) => right.length - left.length)[0];
    const directory = longest === undefined ? dirname(path) : path.slice(0, -longest.length - 1);
    sessions.set(directory, (sessions.get(directory) ?? new Set()).add(path));
  }
  return sessions;
}
