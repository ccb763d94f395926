import { join } from "node:path";
import { needsStateOnlyMark } from "./place.ts";
import { DEFAULT_MARKERS } from "../config/settings.ts";
import type { World } from "../world.ts";
import { disk, errnoOf } from "../lib/fs.ts";
import { namesThere } from "../lib/path-facts.ts";
import { STATE_ONLY } from "./place.ts";
import type { StatePlace } from "./place.ts";
import { createFile, removeQuietly } from "../lib/write-file.ts";

/** Keeps all that we write out of `git status`, itself included, and no config. */
const GITIGNORE = ["/.gitignore", "/session.json*", "/sessions/", "/outputs/", "/agents/", `/${STATE_ONLY}`, ""].join(
  "\n",
);

/**
 * Makes the directory, with the files that say what it is.
 *
 * @input  markers: those in force
 * @output the errno when it can't be made
 * @effect the directory, `.gitignore`, and the `state-only` mark where the root has no marker of its own
 * @error  none
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
 * A new `.codelia` appears with its mark already in it: without the mark, for however short a time, it would be
 * a marker, and change the root that other processes find.
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
  // Where there is one, another process was first.
  return failure === "EEXIST" || failure === "ENOTEMPTY" ? undefined : failure;
}
