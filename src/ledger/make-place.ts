import { join } from "node:path";
import { DEFAULT_MARKERS } from "../config/settings.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { namesThere } from "../lib/path-facts.ts";
import { createFile, removeQuietly } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { STATE_ONLY, type StatePlace } from "./place.ts";

/** Keeps what we write out of `git status`, this file included, but no config. */
const GITIGNORE = ["/.gitignore", "/session.json*", "/sessions/", "/outputs/", "/agents/", `/${STATE_ONLY}`, ""].join(
  "\n",
);

/**
 * Makes the directory, with a `.gitignore`, and with the `state-only` mark if the root has no marker of its own.
 *
 * @input  markers: those in force
 * @output the errno if it can't be made
 */
export function makeStatePlace(world: World, place: StatePlace, markers: readonly string[]): string | undefined {
  try {
    if (!place.isInProject) {
      disk.makeDirectory(place.directory, 0o700);
      return undefined;
    }
    const isNew = disk.look(place.directory) === undefined;
    if (isNew && needsStateOnlyMark(namesThere(place.root, DEFAULT_MARKERS), markers)) {
      const unmade = makeMarked(world, place.directory);
      if (unmade !== undefined) return unmade;
    }
    if (isNew) disk.makeDirectory(place.directory);
  } catch (error) {
    return errnoOf(error);
  }
  const ignore = join(place.directory, ".gitignore");
  try {
    if (disk.look(ignore) === undefined) createFile(ignore, GITIGNORE);
  } catch {
    // What can't be looked at isn't ours to make.
  }
  return undefined;
}

/**
 * Whether a new `.codelia` must be marked `state-only`, because it would change the root that later calls find. It would
 * not if another marker makes this directory a root, both for calls with our markers and for calls with the default ones.
 */
export function needsStateOnlyMark(present: readonly string[], markers: readonly string[]): boolean {
  return !present.some(
    (marker) => marker !== ".codelia" && DEFAULT_MARKERS.includes(marker) && markers.includes(marker),
  );
}

/**
 * A new `.codelia` appears with its mark already in it. Without the mark, for however short a time, it would change the root
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
  // If there is one now, another process was first.
  return failure === "EEXIST" || failure === "ENOTEMPTY" ? undefined : failure;
}
