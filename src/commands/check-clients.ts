import { dirname } from "node:path";
import { judgeReach } from "../core/check/judge-reach.ts";
import type { Finding } from "../core/findings.ts";
import type { ClientProfile } from "../core/profiles/client-profile.ts";
import { diskFacts } from "../io/tree-facts.ts";
import type { World } from "../world.ts";
import type { CheckScene } from "./check-scene.ts";

/**
 * What clients make of the instruction files, each judged for a session that begins in its own directory: there at the
 * latest a client reads it, and whoever begins deeper reads no more of it.
 *
 * @effect reads
 * @error  none
 */
export function checkClients(world: World, scene: CheckScene, clients: readonly ClientProfile[]): Finding[] {
  const facts = diskFacts();
  const place = { home: world.home, env: world.env };
  const judged = new Map<string, Set<string>>();
  for (const { path, directory } of scene.instructions.candidates) {
    judged.set(directory, (judged.get(directory) ?? new Set()).add(path));
  }
  return clients.flatMap((client) =>
    [...judged].flatMap(([directory, paths]) => {
      const { files, budget } = client.reach(directory, place, facts);
      const own = files.filter(({ path }) => dirname(path) === directory && paths.has(path));
      const all = files.map(({ path }) => path);
      return judgeReach({ client, limitBytes: budget?.limitBytes, own, all });
    }),
  );
}
