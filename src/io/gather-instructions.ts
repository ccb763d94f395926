import { dirname, join, resolve } from "node:path";
import { chooseChain, type InstructionFile, type Rung } from "../core/chain.ts";
import { isInside, ladder, withoutIgnored } from "../core/paths.ts";
import type { Applying } from "../core/pending.ts";
import type { World } from "../world.ts";
import { disk, identityOf, versionOf } from "./disk.ts";
import { probeLadder } from "./probe-chain.ts";
import { foreignRoot, type Workspace } from "./workspace.ts";

const MAIN_NAMES = ["AGENTS.override.md", "AGENTS.md"];

/**
 * The files on the ladders of several directories, each directory looked at once.
 *
 * @input  targets: existing directories, absolute; one outside the workspace's root is judged in its own root,
 *         where markers give it one, and has no instructions otherwise
 * @effect none; nothing is opened
 * @error  none
 */
export function gatherForPaths(world: World, workspace: Workspace, targets: readonly string[]): Applying {
  const { fallbackFilenames, additionalFilenames, ignore } = workspace.settings.agents;
  const names = { main: [...MAIN_NAMES, ...fallbackFilenames], additional: additionalFilenames };
  const rungs = new Map<string, Rung>();
  for (const target of new Set(targets)) {
    const root = rootOf(world, workspace, target);
    if (root === undefined) continue;
    const directories = withoutIgnored(ladder(root, target), ignore);
    for (const rung of probeLadder(directories, names, rungs)) rungs.set(rung.directory, rung);
  }
  const directories = [...rungs.keys()].toSorted();
  const inOrder = directories.map((directory) => rungs.get(directory) as Rung);
  return { ...chooseChain(inOrder), directories, home: homeFiles(workspace), homeDirectory: workspace.places.global };
}

/** The directory whose instructions apply to a path: itself, the one it is in, or the nearest that exists. */
export function directoryOf(workspace: Workspace, path: string): string {
  let candidate = resolve(workspace.cwd, path);
  for (;;) {
    const above = dirname(candidate);
    if (above === candidate) return candidate;
    try {
      if (disk.lookThrough(candidate)?.isDirectory()) return candidate;
    } catch {
      // Not to be looked into, or no directory on the way: what applies there is what applies above it.
    }
    candidate = above;
  }
}

function rootOf(world: World, workspace: Workspace, target: string): string | undefined {
  const own = workspace.root.directory;
  return isInside(own, target) ? own : foreignRoot(workspace, world, target)?.directory;
}

/** The user's own, so their links are followed wherever they lead. */
function homeFiles(workspace: Workspace): InstructionFile[] {
  return MAIN_NAMES.map((name) => lookAtHomeFile(workspace.places.global, name)).filter((file) => file !== undefined);
}

function lookAtHomeFile(directory: string, name: string): InstructionFile | undefined {
  const path = join(directory, name);
  try {
    const stats = disk.lookThrough(path);
    if (stats === undefined || !stats.isFile()) return undefined;
    const realPath = disk.realPath(path);
    return { kind: "file", path, directory, realPath, version: versionOf(stats), identity: identityOf(stats) };
  } catch {
    return undefined;
  }
}
