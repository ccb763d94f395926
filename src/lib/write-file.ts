import { dirname } from "node:path";
import type { World } from "../world.ts";
import { disk, errnoOf, isInUse } from "./fs.ts";
import { closeQuietly } from "./read-file.ts";

export type Written = { readonly kind: "written" } | { readonly kind: "failed"; readonly errno: string };

export interface WriteModes {
  readonly directoryMode?: number;
  readonly fileMode?: number;
  /** The exact mode of the file, unlike `fileMode`, which the process's umask narrows. */
  readonly exactMode?: number | undefined;
}

/**
 * Replaces a file with a complete one, or leaves it as it was; creates its directory.
 *
 * @input  path: absolute
 * @effect the file at `path`; no temporary file stays behind, unless the process is killed
 * @ensures never throws: a full disk, a short write or a missing permission is `failed`
 */
export function writeWhole(world: World, path: string, data: string | Uint8Array, modes: WriteModes = {}): Written {
  return putInPlace(world, path, data, modes, (temporary) => rename(world, temporary, path));
}

/**
 * Writes over a short file of the same length, in a single write. Replacing it would make some file systems (ext4) write
 * the new one to the disk at once, which takes longer than everything else that records something.
 *
 * @output `failed` if there is no regular file of that length, or on any error
 */
export function overwriteShort(path: string, text: string): Written {
  const bytes = new TextEncoder().encode(text);
  let descriptor: number;
  try {
    descriptor = disk.openToOverwrite(path);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  try {
    const stats = disk.facts(descriptor);
    if (!stats.isFile() || stats.size !== bytes.length) return { kind: "failed", errno: "EINVAL" };
    return writeAll(descriptor, bytes);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  } finally {
    closeQuietly(descriptor);
  }
}

/** Creates a file as `writeWhole` does, or fails with `EEXIST`. No other process ever sees it incomplete. */
export function createWhole(world: World, path: string, data: string, modes: WriteModes): Written {
  return putInPlace(world, path, data, modes, (temporary) => {
    disk.addName(temporary, path);
    removeQuietly(temporary);
  });
}

/** How long a process may keep a file open for reading. */
const IN_USE_MS = 300;
const IN_USE_PAUSE_MS = 5;

/** On Windows, waits for processes that have the present file open. */
export function rename(world: World, from: string, to: string): void {
  for (let waitedMs = 0; ; waitedMs += IN_USE_PAUSE_MS) {
    try {
      return disk.rename(from, to);
    } catch (error) {
      if (waitedMs >= IN_USE_MS || !isInUse(errnoOf(error))) throw error;
      world.pause(IN_USE_PAUSE_MS);
    }
  }
}

function putInPlace(
  world: World,
  path: string,
  data: string | Uint8Array,
  modes: WriteModes,
  put: (temporary: string) => void,
): Written {
  const temporary = `${path}.${world.random()}.tmp`;
  const create = () => createFile(temporary, data, modes.exactMode ?? modes.fileMode, modes.exactMode);
  let created = create();
  // The directory is nearly always there.
  if (created.kind === "failed" && created.errno === "ENOENT") {
    try {
      disk.makeDirectory(dirname(path), modes.directoryMode);
    } catch (error) {
      return { kind: "failed", errno: errnoOf(error) };
    }
    created = create();
  }
  if (created.kind === "failed") return created;
  try {
    put(temporary);
    return { kind: "written" };
  } catch (error) {
    removeQuietly(temporary);
    return { kind: "failed", errno: errnoOf(error) };
  }
}

/** Creates a file with all of `data`, or none; fails with `EEXIST` if it exists. */
export function createFile(path: string, data: string | Uint8Array, mode?: number, exactMode?: number): Written {
  let descriptor: number;
  try {
    descriptor = disk.openToCreate(path, mode);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  const written = writeAll(descriptor, typeof data === "string" ? new TextEncoder().encode(data) : data, exactMode);
  closeQuietly(descriptor);
  if (written.kind === "failed") removeQuietly(path);
  return written;
}

export function removeQuietly(path: string): void {
  try {
    disk.remove(path);
  } catch {
    // It is gone already, or can't be removed: the caller has its answer either way.
  }
}

export function removeTreeQuietly(path: string): void {
  try {
    disk.removeTree(path);
  } catch {
    // What is left is in the system's temporary directory.
  }
}

/** A short write means a full disk: trying again gets the errno. */
export function writeAll(descriptor: number, bytes: Uint8Array, exactMode?: number): Written {
  let rest = bytes;
  try {
    if (exactMode !== undefined) disk.setMode(descriptor, exactMode);
    while (rest.length > 0) rest = rest.subarray(disk.write(descriptor, rest));
    return { kind: "written" };
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
}

/** Appends to a file, or creates it. */
export function appendToFile(path: string, text: string): Written {
  let descriptor: number;
  try {
    descriptor = disk.openToAppend(path);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  const written = writeAll(descriptor, new TextEncoder().encode(text));
  closeQuietly(descriptor);
  return written;
}
