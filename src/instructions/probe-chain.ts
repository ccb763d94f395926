import { join } from "node:path";
import type { Candidate, FoundFile, Rung, UnusableReason } from "./chain.ts";
import { isInside } from "../lib/paths.ts";
import { disk, errnoOf, identityOf, versionOf } from "../lib/fs.ts";
import { realPathOf } from "../lib/same-place.ts";

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
    return unexpected(errnoOf(error));
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
    return unexpected(errnoOf(error)) ?? unusable("dangling-link");
  }
}

function usable(stats: Parameters<typeof versionOf>[0], realPath: string): FoundFile {
  return { kind: "file", version: versionOf(stats), identity: identityOf(stats), realPath };
}

function unusable(reason: UnusableReason): Candidate["found"] {
  return { kind: "unusable", reason };
}

function unexpected(errno: string): Candidate["found"] | undefined {
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return undefined;
    case "EACCES":
    case "EPERM":
      return unusable("no-permission");
    case "ELOOP":
      return unusable("dangling-link");
    default:
      return unusable("unreadable");
  }
}
