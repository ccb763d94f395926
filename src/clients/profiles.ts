import { isInside } from "../lib/paths.ts";
import { didYouMean } from "../lib/nearest.ts";
import type { ClientProfile, NativeClient } from "./client.ts";
import { claudeProfile } from "./claude/profile.ts";
import { codexProfile } from "./codex/profile.ts";
import { rawProfile } from "./raw-profile.ts";
import type { Workspace } from "../workspace.ts";
import { foreignRoot } from "../instructions/root.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";

/** Those that put files into their model's context by themselves. */
export const NATIVE_CLIENTS: readonly NativeClient[] = [claudeProfile, codexProfile];

/** The clients of a list of names with commas, each once; all of them where there is no list; or what is wrong with it. */
export function chooseClients(
  world: World,
  workspace: Workspace,
  names: string | undefined,
): readonly ClientProfile[] | string {
  const all = [ownProfile(world, workspace), ...NATIVE_CLIENTS];
  if (names === undefined) return all;
  const chosen: ClientProfile[] = [];
  for (const name of new Set(names.split(",").map((word) => word.trim()))) {
    const found = all.find((client) => client.name === name);
    if (found === undefined) return unknownClient(name, all);
    chosen.push(found);
  }
  return chosen;
}

export function unknownClient(name: string, known: readonly ClientProfile[]): string {
  const names = known.map((client) => client.name);
  return `unknown client '${visible(name)}'${didYouMean(name, names) || `; one of ${names.join(", ")}`}`;
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
