import { dirname, join, resolve } from "node:path";
import { hasPlugin } from "../config/settings.ts";
import { disk, identityOf, obstacleOf, versionOf } from "../lib/fs.ts";
import { ancestorThatIs, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import { foreignRoot } from "./root.ts";
import type { World } from "../world.ts";
import {
  chooseChain,
  type InstructionFile,
  type Rung,
  type Candidate,
  type FoundFile,
  type UnusableReason,
} from "./chain.ts";
import type { Applying } from "./pending.ts";

/** PATH_MAX of the systems we run on, at most. */
const MAX_PATH_LENGTH = 4096;

const MAIN_NAMES = ["AGENTS.override.md", "AGENTS.md"];

/**
 * The files on the ladders of several directories, each directory looked at once, as plugins have them.
 *
 * @input  targets: one outside the workspace's root is judged in its own root,
 *         where markers give it one, and has no instructions otherwise
 * @output at once, unless a plugin has a say
 * @effect nothing is opened; that of plugins
 * @error  none
 */
export function gatherInstructions(
  world: World,
  workspace: Workspace,
  targets: readonly Target[],
): Applying | Promise<Applying> {
  const { fallbackFilenames, additionalFilenames, ignore } = workspace.settings.agents;
  const names = { main: [...MAIN_NAMES, ...fallbackFilenames], additional: additionalFilenames };
  const rungs: Rung[] = [];
  const directories = new Set<string>();
  for (const target of targets) {
    const placed = placeTarget(world, workspace, target.directory);
    if (placed === undefined) continue;
    const wanted = withoutIgnored(ladder(placed.root, placed.directory), ignore);
    for (const rung of probeLadder(wanted, names, directories)) {
      rungs.push(rung);
      directories.add(rung.directory);
    }
    for (const directory of target.missing) directories.add(directory);
  }
  // One ladder is in order as it is.
  if (targets.length > 1) rungs.sort((a, b) => (a.directory < b.directory ? -1 : 1));
  const { files, passedOver } = chooseChain(rungs);
  const homeDirectory = workspace.places.global;
  const found = { files, passedOver, directories, home: homeFiles(homeDirectory), homeDirectory };
  return hasPlugin(workspace.layers, world.env, "agents:chain") ? plugged(world, workspace, targets, found) : found;
}

async function plugged(
  world: World,
  workspace: Workspace,
  targets: readonly Target[],
  found: Applying,
): Promise<Applying> {
  const { pluggedChain } = await world.extensions();
  return pluggedChain(world, workspace, targets, found);
}

/** Where a path's instructions come from. */
export interface Target {
  /** The path itself, the directory it is in, or the nearest that exists. */
  readonly directory: string;
  /** What is no directory on the way to the path, and all below it: what was there is gone. */
  readonly missing: readonly string[];
}

/** The targets of paths, each directory once. */
export function targetsOf(workspace: Pick<Workspace, "cwd">, paths: readonly string[]): Target[] {
  const targets: Target[] = [];
  const byDirectory = new Map<string, { readonly missing: string[] }>();
  for (const path of paths) {
    const target = targetOf(resolve(workspace.cwd, path));
    const known = byDirectory.get(target.directory);
    if (known === undefined) {
      byDirectory.set(target.directory, target);
      targets.push(target);
    } else for (const directory of target.missing) known.missing.push(directory);
  }
  return targets;
}

function targetOf(path: string): { directory: string; missing: string[] } {
  const missing: string[] = [];
  let unknown: string[] = [];
  // What no system could hold is not looked for.
  for (let candidate = path.slice(0, MAX_PATH_LENGTH); ; candidate = dirname(candidate)) {
    if (dirname(candidate) === candidate) return { directory: candidate, missing };
    try {
      if (disk.lookThrough(candidate)?.isDirectory()) return { directory: candidate, missing };
      for (const below of unknown) missing.push(below);
      missing.push(candidate);
      unknown = [];
    } catch {
      // Not to be looked into, or no directory on the way: which of the two, a directory above it says.
      unknown.push(candidate);
    }
  }
}

/** A target outside the root as it is named is inside it where a directory above it is the root by another name. */
function placeTarget(
  world: World,
  workspace: Workspace,
  target: string,
): { root: string; directory: string } | undefined {
  const own = workspace.root.directory;
  if (isInside(own, target)) return { root: own, directory: target };
  const alias = ancestorThatIs(target, own);
  if (alias !== undefined) return { root: own, directory: join(own, target.slice(alias.length)) };
  const root = foreignRoot(workspace, world, target)?.directory;
  return root === undefined ? undefined : { root, directory: target };
}

/** The user's own, so their links are followed wherever they lead. */
function homeFiles(directory: string): InstructionFile[] {
  const files: InstructionFile[] = [];
  for (const name of MAIN_NAMES) {
    const file = lookAtHomeFile(directory, name);
    if (file !== undefined) files.push(file);
  }
  return files;
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

export interface Names {
  /** In order of priority: the first usable one counts. */
  readonly main: readonly string[];
  /** Each usable one is added. */
  readonly additional: readonly string[];
}

/**
 * Looks at every candidate name in the directories of one ladder.
 *
 * @input  directories: from the root down, absolute, as named by the user; probed: those already looked at
 * @output a rung per directory that was not probed before, with the candidates that exist, links judged: one that leads outside the root
 *         is unusable, because it could be any file of the user's
 * @effect none; nothing is opened
 * @error  none
 */
export function probeLadder(
  directories: readonly string[],
  names: Names,
  probed: ReadonlySet<string> = new Set(),
): Rung[] {
  const root = directories[0];
  const deepest = directories.at(-1);
  if (root === undefined || deepest === undefined) return [];
  const realRoot = realPathOf(root);
  if (realRoot === undefined) return [];
  // Two look-ups tell that no directory on the ladder is a link; otherwise each is asked for its own real path.
  const hasLinks = realPathOf(deepest) !== join(realRoot, deepest.slice(root.length));
  const rungs: Rung[] = [];
  for (const directory of directories) {
    if (probed.has(directory)) continue;
    const realDirectory = hasLinks ? realPathOf(directory) : join(realRoot, directory.slice(root.length));
    const place = { directory, realDirectory, realRoot };
    rungs.push({ directory, main: probeNames(place, names.main), additional: probeNames(place, names.additional) });
  }
  return rungs;
}

interface Place {
  readonly directory: string;
  readonly realDirectory: string | undefined;
  readonly realRoot: string;
}

function probeNames(place: Place, names: readonly string[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const name of names) {
    const path = join(place.directory, name);
    const found = probe(path, name, place);
    if (found !== undefined) candidates.push({ path, found });
  }
  return candidates;
}

function probe(path: string, name: string, place: Place): Candidate["found"] | undefined {
  try {
    const itself = disk.look(path);
    if (itself === undefined) return undefined;
    if (!itself.isSymbolicLink()) {
      if (!itself.isFile()) return unusable("not-a-regular-file");
      if (place.realDirectory === undefined || !isInside(place.realRoot, place.realDirectory)) {
        return unusable("link-outside-root");
      }
      return usable(itself, join(place.realDirectory, name));
    }
    return probeLink(path, place);
  } catch (error) {
    return unexpected(error);
  }
}

function probeLink(path: string, place: Place): Candidate["found"] {
  try {
    const target = disk.lookThrough(path);
    if (target === undefined) return unusable("dangling-link");
    const realPath = disk.realPath(path);
    if (!isInside(place.realRoot, realPath)) return unusable("link-outside-root");
    return target.isFile() ? usable(target, realPath) : unusable("not-a-regular-file");
  } catch (error) {
    // It is there, so what is not there is where it leads.
    return unexpected(error) ?? unusable("dangling-link");
  }
}

function usable(stats: Parameters<typeof versionOf>[0], realPath: string): FoundFile {
  return { kind: "file", version: versionOf(stats), identity: identityOf(stats), realPath };
}

function unusable(reason: UnusableReason): Candidate["found"] {
  return { kind: "unusable", reason };
}

function unexpected(error: unknown): Candidate["found"] | undefined {
  const obstacle = obstacleOf(error);
  if (obstacle === "absent") return undefined;
  if (obstacle === "loop") return unusable("dangling-link");
  return unusable(obstacle === "no-permission" ? obstacle : "unreadable");
}
