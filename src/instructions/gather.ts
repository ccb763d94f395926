import type { Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hasPlugin } from "../config/settings.ts";
import { isBlank } from "../lib/bytes.ts";
import { disk, identityOf, obstacleOf, versionOf } from "../lib/fs.ts";
import { digestOf } from "../lib/hash.ts";
import { ancestorThatIs, realPathOf, statOf } from "../lib/path-facts.ts";
import { childOf, isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import { readStart, whyUnread } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  chooseChain,
  IMPORTING_NAME,
  MAIN_NAMES,
  type Candidate,
  type FoundFile,
  type InstructionFile,
  type Rung,
  type UnusableReason,
} from "./chain.ts";
import type { Lookup } from "./imports.ts";
import type { Applying } from "./pending.ts";
import type { ResumeFacts } from "./resume.ts";
import { foreignRoot } from "./root.ts";

/**
 * Reads from disk the instruction files between the root and some paths, and the facts that decisions need about them.
 * Nothing here throws, and a file is opened only when its text is needed.
 */

/** At least PATH_MAX on the systems we run on. */
const MAX_PATH_LENGTH = 4096;

/** A path that someone asks about. */
export interface Target {
  /** The path itself, its directory, or the nearest directory that exists. */
  readonly directory: string;
  /** The part of the path that is not a directory, and everything below it: files there are gone. */
  readonly missing: readonly string[];
  /** The real directory of a file, if the path is a link to one. */
  readonly linkedTo?: string | undefined;
}

/**
 * The files on the ladders of several targets, after plugins have changed them.
 *
 * @input  targets: one outside the workspace's root gets the root that markers give it, or no instructions
 */
export async function gatherInstructions(
  world: World,
  workspace: Workspace,
  targets: readonly Target[],
): Promise<Applying> {
  const { fallbackFilenames, additionalFilenames, ignore } = workspace.settings.agents;
  const names = { main: [...MAIN_NAMES, ...fallbackFilenames], additional: additionalFilenames };
  const importing = nameImports(fallbackFilenames) ? (await import("./imports.ts")).withImports : undefined;
  const rungs: Rung[] = [];
  const directories = new Set<string>();
  const asked: string[] = [];
  function climb(root: string, directory: string): string | undefined {
    asked.push(directory);
    const { rungs: probed, behind } = probeAlong(withoutIgnored(ladder(root, directory), ignore), names, directories);
    const found = importing === undefined ? probed : importing(probed, names.main, lookupIn(root));
    rungs.push(...found);
    for (const each of found) directories.add(each.directory);
    return behind;
  }
  for (const target of targets) {
    const placed = placeTarget(world, workspace, target.directory);
    if (placed === undefined) continue;
    let behind = climb(placed.root, placed.directory);
    for (const directory of target.missing) directories.add(directory);
    if (target.linkedTo !== undefined) behind = directoryInRoot(placed.root, target.linkedTo);
    // A path reached through a link also has the instructions of the link's target.
    if (behind !== undefined) climb(placed.root, behind);
  }
  rungs.sort((left, right) => (left.directory < right.directory ? -1 : 1));
  const homeDirectory = workspace.userDirectories.global;
  const home = homeFiles(homeDirectory);
  const applying = { ...chooseChain(rungs), directories, targets: asked, home, homeDirectory };
  if (!hasPlugin(workspace.layers, world.env, "agents:chain")) return applying;
  const { extendChain } = await world.extensions();
  return extendChain(world, workspace, targets, applying);
}

/** Whether some of the names are those of files that import others. */
function nameImports(names: readonly string[]): boolean {
  for (const name of names) if (name === IMPORTING_NAME) return true;
  return false;
}

/** A clone names these files: nothing outside the root is examined, and only regular files are read. */
function lookupIn(root: string): Lookup {
  const realRoot = realPathOf(root);
  return {
    find(path) {
      if (!isInside(root, path) && (realRoot === undefined || !isInside(realRoot, path))) return undefined;
      const stats = statOf(path);
      const realPath = stats?.isFile() ? realPathOf(path) : undefined;
      if (stats === undefined || realPath === undefined) return undefined;
      const isWithin = realRoot !== undefined && isInside(realRoot, realPath);
      return { path, found: isWithin ? usable(stats, realPath) : unusable("link-outside-root") };
    },
    read(realPath, bytes) {
      const read = readStart(realPath, bytes);
      return read.kind === "read" ? read.bytes : new Uint8Array();
    },
  };
}

/** The targets of several paths, each directory once. */
export function targetsOf(workspace: Pick<Workspace, "cwd">, paths: readonly string[]): Target[] {
  const targets: Target[] = [];
  const places = new Map<string, number>();
  for (const path of paths) {
    const target = targetOf(resolve(workspace.cwd, path));
    const { directory, linkedTo } = target;
    const place = linkedTo === undefined ? directory : `${directory}\0${linkedTo}`;
    const index = places.get(place);
    const known = index === undefined ? undefined : targets[index];
    if (index === undefined || known === undefined) places.set(place, targets.push(target) - 1);
    else targets[index] = { ...target, missing: [...known.missing, ...target.missing] };
  }
  return targets;
}

function targetOf(path: string): Target {
  const missing: string[] = [];
  let unknown: string[] = [];
  let linkedTo: string | undefined;
  // A path longer than any system allows is cut.
  for (let candidate = path.slice(0, MAX_PATH_LENGTH); ; candidate = dirname(candidate)) {
    if (dirname(candidate) === candidate) return { directory: candidate, missing, linkedTo };
    try {
      const itself = disk.look(candidate);
      const isLink = itself?.isSymbolicLink() === true;
      const found = isLink ? disk.lookThrough(candidate) : itself;
      if (found?.isDirectory()) return { directory: candidate, missing, linkedTo };
      if (isLink && candidate === path && found !== undefined) linkedTo = dirname(disk.realPath(candidate));
      missing.push(...unknown, candidate);
      unknown = [];
    } catch {
      // Permission denied, or a file on the way: looking at a directory above tells which.
      unknown.push(candidate);
    }
  }
}

/** A target that isn't below the root by name may be below it under another name of the root. */
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

/** A directory by its real path, as it is named below the root; undefined if it is elsewhere. */
function directoryInRoot(root: string, real: string): string | undefined {
  const realRoot = realPathOf(root);
  return realRoot !== undefined && isInside(realRoot, real) ? join(root, real.slice(realRoot.length)) : undefined;
}

/** The user's own files, so links may lead anywhere. */
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
  /** In order of priority; the first usable one counts. */
  readonly main: readonly string[];
  /** Each usable one is added. */
  readonly additional: readonly string[];
}

/**
 * Looks up every candidate name in the directories of one ladder.
 *
 * @input  directories: from the root down, absolute, as named by the user; probed: those already looked at
 * @output a rung for each directory that was not probed before, with the candidates that exist. A link that leads
 *          outside the root is unusable: it could be any of the user's files
 */
export function probeLadder(
  directories: readonly string[],
  names: Names,
  probed: ReadonlySet<string> = new Set(),
): Rung[] {
  return probeAlong(directories, names, probed).rungs;
}

/** The same. `behind`: another directory below the root, to which links on the ladder lead. */
function probeAlong(
  directories: readonly string[],
  names: Names,
  probed: ReadonlySet<string>,
): { readonly rungs: Rung[]; readonly behind?: string | undefined } {
  const root = directories[0];
  const deepest = directories[directories.length - 1];
  if (root === undefined || deepest === undefined) return { rungs: [] };
  const realRoot = realPathOf(root);
  if (realRoot === undefined) return { rungs: [] };
  // Two look-ups tell whether any directory on the ladder is a link. If so, each real path is looked up.
  const realDeepest = realPathOf(deepest);
  const hasLinks = realDeepest !== join(realRoot, deepest.slice(root.length));
  const rungs: Rung[] = [];
  for (const directory of directories) {
    if (probed.has(directory)) continue;
    const realDirectory = hasLinks ? realPathOf(directory) : join(realRoot, directory.slice(root.length));
    const place = { directory, realDirectory, realRoot };
    rungs.push({ directory, main: probeNames(place, names.main), additional: probeNames(place, names.additional) });
  }
  const isElsewhere = hasLinks && realDeepest !== undefined && isInside(realRoot, realDeepest);
  return { rungs, behind: isElsewhere ? join(root, realDeepest.slice(realRoot.length)) : undefined };
}

interface RungPlace {
  readonly directory: string;
  readonly realDirectory: string | undefined;
  readonly realRoot: string;
}

function probeNames(place: RungPlace, names: readonly string[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const name of names) {
    const path = childOf(place.directory, name);
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
      return usable(itself, childOf(place.realDirectory, name));
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
    // The link exists, so what is missing is its target.
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

/** A longer text counts as not blank and has no digest. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * Facts that decisions ask for, each looked up once.
 *
 * @input  texts: files that were read before, by their real paths
 * @effect reads the other files; warns of one that can't be read, which then counts as blank
 */
export function instructionFacts(world: World, texts?: ReadonlyMap<string, Uint8Array>): ResumeFacts {
  const textAt = remembering((path) => {
    const bytes = texts?.get(path);
    return bytes === undefined ? lookAtText(path) : factsOfText(bytes);
  });
  const statsAt = remembering(statOf);
  return {
    isBlank({ path, realPath, version }) {
      if (version.sizeBytes === 0) return true;
      const text = textAt(realPath);
      if (text.why !== undefined) world.warn(`'${path}' is skipped: ${text.why}`);
      return text.isBlank;
    },
    isUnread: ({ realPath, version }) => version.sizeBytes > 0 && textAt(realPath).why !== undefined,
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

function factsOfText(bytes: Uint8Array): TextFacts {
  if (bytes.length > MAX_TEXT_BYTES) return { isBlank: false };
  return { isBlank: isBlank(bytes, bytes.length), digest: digestOf(bytes) };
}

function lookAtText(path: string): TextFacts {
  const read = readStart(path, MAX_TEXT_BYTES + 1);
  switch (read.kind) {
    case "read":
      return factsOfText(read.bytes);
    case "absent":
      return { isBlank: true };
    case "unusable":
      return { isBlank: true, why: whyUnread(read) };
  }
}
