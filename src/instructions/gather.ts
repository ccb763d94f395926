import type { Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasPlugin } from "../config/settings.ts";
import { disk, identityOf, obstacleOf, versionOf } from "../lib/fs.ts";
import { textDigest } from "../lib/hash.ts";
import { ancestorThatIs, realPathOf, statOf } from "../lib/path-facts.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import { readText, whyUnread } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  chooseChain,
  MAIN_NAMES,
  type Candidate,
  type FoundFile,
  type InstructionFile,
  type Rung,
  type UnusableReason,
} from "./chain.ts";
import type { Applying } from "./pending.ts";
import type { ResumeFacts } from "./resume.ts";
import { foreignRoot } from "./root.ts";

/**
 * What is on the disk: the instruction files on the way from the root to some paths, and the facts about them that a
 * decision asks for. None of it throws, and a file is opened only when its text is asked for.
 */

/** PATH_MAX of the systems we run on, at most. */
const MAX_PATH_LENGTH = 4096;

/** A path that something is asked about. */
export interface Target {
  /** The path itself, the directory it is in, or the nearest one that exists. */
  readonly directory: string;
  /** What is no directory on the way to the path, and everything below: what was there is gone. */
  readonly missing: readonly string[];
}

/**
 * The files on the ladders of several targets, as plugins leave them.
 *
 * @input  targets: one outside the workspace's root has the root that markers give it, or no instructions
 */
export async function gatherInstructions(
  world: World,
  workspace: Workspace,
  targets: readonly Target[],
): Promise<Applying> {
  const { fallbackFilenames, additionalFilenames, ignore } = workspace.settings.agents;
  const names = { main: [...MAIN_NAMES, ...fallbackFilenames], additional: additionalFilenames };
  const rungs: Rung[] = [];
  const directories = new Set<string>();
  for (const target of targets) {
    const placed = placeTarget(world, workspace, target.directory);
    if (placed === undefined) continue;
    const onLadder = withoutIgnored(ladder(placed.root, placed.directory), ignore);
    const found = probeLadder(onLadder, names, directories);
    rungs.push(...found);
    for (const { directory } of found) directories.add(directory);
    for (const directory of target.missing) directories.add(directory);
  }
  rungs.sort((left, right) => (left.directory < right.directory ? -1 : 1));
  const homeDirectory = workspace.places.global;
  const applying = { ...chooseChain(rungs), directories, home: homeFiles(homeDirectory), homeDirectory };
  if (!hasPlugin(workspace.layers, world.env, "agents:chain")) return applying;
  const { pluggedChain } = await world.extensions();
  return pluggedChain(world, workspace, targets, applying);
}

/** The targets of paths, each directory once. */
export function targetsOf(workspace: Pick<Workspace, "cwd">, paths: readonly string[]): Target[] {
  const targets = new Map<string, Target>();
  for (const path of paths) {
    const { directory, missing } = targetOf(resolve(workspace.cwd, path));
    const known = targets.get(directory)?.missing ?? [];
    targets.set(directory, { directory, missing: [...known, ...missing] });
  }
  return [...targets.values()];
}

function targetOf(path: string): Target {
  const missing: string[] = [];
  let unknown: string[] = [];
  // A longer path than any system holds is cut.
  for (let candidate = path.slice(0, MAX_PATH_LENGTH); ; candidate = dirname(candidate)) {
    if (dirname(candidate) === candidate) return { directory: candidate, missing };
    try {
      if (disk.lookThrough(candidate)?.isDirectory()) return { directory: candidate, missing };
      missing.push(...unknown, candidate);
      unknown = [];
    } catch {
      // Permission denied, or a file on the way: a directory above it will tell which of the two.
      unknown.push(candidate);
    }
  }
}

/** A target that isn't below the root by name may be below it by another name of the root. */
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

/** The user's own files, so their links are followed wherever they lead. */
function homeFiles(directory: string): InstructionFile[] {
  const files: InstructionFile[] = [];
  for (const name of MAIN_NAMES) {
    const path = join(directory, name);
    const stats = statOf(path);
    const realPath = stats?.isFile() ? realPathOf(path) : undefined;
    if (stats && realPath !== undefined) files.push({ ...usable(stats, realPath), path, directory });
  }
  return files;
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
 * @output a rung per directory that was not probed before, with the candidates that exist. A link that leads outside the
 *         root is unusable, because it could be any file of the user's
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
  // Two look-ups tell whether no directory on the ladder is a link. Otherwise each is asked for its own real path.
  const hasLinks = realPathOf(deepest) !== join(realRoot, deepest.slice(root.length));
  return directories
    .filter((directory) => !probed.has(directory))
    .map((directory) => {
      const realDirectory = hasLinks ? realPathOf(directory) : join(realRoot, directory.slice(root.length));
      const place = { directory, realDirectory, realRoot };
      return { directory, main: probeNames(place, names.main), additional: probeNames(place, names.additional) };
    });
}

interface RungPlace {
  readonly directory: string;
  readonly realDirectory: string | undefined;
  readonly realRoot: string;
}

function probeNames(place: RungPlace, names: readonly string[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const name of names) {
    const path = join(place.directory, name);
    const found = probe(path, name, place);
    if (found !== undefined) candidates.push({ path, found });
  }
  return candidates;
}

function probe(path: string, name: string, place: RungPlace): Candidate["found"] | undefined {
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

function probeLink(path: string, place: RungPlace): Candidate["found"] {
  try {
    const target = disk.lookThrough(path);
    if (target === undefined) return unusable("dangling-link");
    const realPath = disk.realPath(path);
    if (!isInside(place.realRoot, realPath)) return unusable("link-outside-root");
    return target.isFile() ? usable(target, realPath) : unusable("not-a-regular-file");
  } catch (error) {
    // The link is there, so what is missing is where it leads.
    return unexpected(error) ?? unusable("dangling-link");
  }
}

function usable(stats: Stats, realPath: string): FoundFile {
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

/** A longer text is taken to say something, and has no digest. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * The facts a decision may ask for, each looked up once.
 *
 * @effect reads files; a warning for one that can't be read, which then counts as blank
 */
export function instructionFacts(world: World): ResumeFacts {
  const textAt = remembering(lookAtText);
  const statsAt = remembering(statOf);
  return {
    isBlank({ path, realPath, version }) {
      if (version.sizeBytes === 0) return true;
      const { isBlank, why } = textAt(realPath);
      if (why !== undefined) world.warn(`'${path}' is passed over: ${why}`);
      return isBlank;
    },
    digestOf: ({ realPath }) => textAt(realPath).digest,
    identityAt(path, { mtimeMs, sizeBytes }) {
      const stats = statsAt(path);
      const present = stats && versionOf(stats);
      return present?.mtimeMs === mtimeMs && present.sizeBytes === sizeBytes ? stats && identityOf(stats) : undefined;
    },
    mtimeAt(path) {
      const stats = statsAt(path);
      return stats && versionOf(stats).mtimeMs;
    },
  };
}

function remembering<Value>(look: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    if (!known.has(path)) known.set(path, look(path));
    return known.get(path) as Value;
  };
}

interface TextFacts {
  readonly isBlank: boolean;
  readonly digest?: number;
  /** Why it can't be read. */
  readonly why?: string;
}

function lookAtText(path: string): TextFacts {
  const read = readText(path, MAX_TEXT_BYTES);
  switch (read.kind) {
    case "text":
      return { isBlank: read.text.trim() === "", digest: textDigest(read.text) };
    case "too-large":
      return { isBlank: false };
    case "absent":
      return { isBlank: true };
    case "unusable":
      return { isBlank: true, why: whyUnread(read) };
  }
}
