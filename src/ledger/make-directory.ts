import { join } from "node:path";
import { DEFAULT_MARKERS } from "../config/settings.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { namesThere } from "../lib/path-facts.ts";
import { createFile, removeQuietly } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { STATE_ONLY, type LedgerLocation } from "./location.ts";

/** Keeps what we write out of `git status`, including this file, but no config. */
const GITIGNORE = ["/.gitignore", "/session.json*", "/sessions/", "/outputs/", "/agents/", `/${STATE_ONLY}`, ""].join(
  "\n",
);

/**
 * Creates the directory, with a `.gitignore`, and with the `state-only` mark if the root has no marker of its own.
 *
 * @input  markers: the configured ones
 * @output the errno if it can't be created
 */
export function makeLedgerDirectory(
  world: World,
  location: LedgerLocation,
  markers: readonly string[],
): string | undefined {
  try {
    if (!location.isInProject) {
      disk.makeDirectory(location.directory, 0o700);
      return undefined;
    }
    const isNew = disk.look(location.directory) === undefined;
    if (isNew && needsStateOnlyMark(namesThere(location.root, DEFAULT_MARKERS), markers)) {
      const unmade = makeMarked(world, location.directory);
      if (unmade !== undefined) return unmade;
    }
    if (isNew) disk.makeDirectory(location.directory);
  } catch (error) {
    return errnoOf(error);
  }
  const ignore = join(location.directory, ".gitignore");
  try {
    if (disk.look(ignore) === undefined) createFile(ignore, GITIGNORE);
  } catch {
    // A path that can't be examined isn't ours to create.
  }
  return undefined;
}

/**
 * Whether a new `.codelia` must be marked `state-only`, because it would change the root that later calls find. It
 * would not if another marker makes this directory a root, both for our markers and for the default ones.
 */
export function needsStateOnlyMark(present: readonly string[], markers: readonly string[]): boolean {
  return !present.some(
    (marker) => marker !== ".codelia" && DEFAULT_MARKERS.includes(marker) && markers.includes(marker),
  );
}

/**
 * A new `.codelia` appears with its mark already inside. Without the mark, however briefly, it would change the root
 * that other processes find.
 */
function makeMarked(world: World, directory: string): string | undefined {
  const draft = `${directory}.${world.random()}.tmp`;
  const mark = join(draft, STATE_ONLY);
  disk.makeDirectory(draft);
  const marked = createFile(mark, "This directory holds no configuration and marks no root.\n");
  let failure = marked.kind === "failed" ? marked.errno : "";
  try {
    if (marked.kind === "written") {
      disk.rename(draft, directory);
      return undefined;
    }
  } catch (error) {
    failure = errnoOf(error);
  }
  removeQuietly(mark);
  disk.removeDirectory(draft);
  // Another process was first. Only some systems say so in the errno.
  return disk.look(directory)?.isDirectory() === true ? undefined : failure;
}
