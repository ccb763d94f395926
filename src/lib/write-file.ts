import { temporaryPath } from "./temporary-path.ts";
import { dirname, join } from "node:path";
import type { World } from "../world.ts";
import { disk, errnoOf } from "./fs.ts";
import { closeQuietly } from "./read-file.ts";

export type Written = { readonly kind: "written" } | { readonly kind: "failed"; readonly errno: string };

export interface WriteModes {
  readonly directoryMode?: number;
  readonly fileMode?: number;
  /** The file's mode exactly, where `fileMode` is what the process may narrow. */
  readonly exactMode?: number | undefined;
}

/**
 * Replaces a file by a complete one, or leaves it as it was; creates its directory.
 *
 * @input  path: absolute
 * @effect the file at `path`; no temporary file stays behind, unless the process is killed
 * @error  none: a full disk, a short write or a missing right is `failed`
 */
export function writeWhole(world: World, path: string, data: string | Uint8Array, modes: WriteModes = {}): Written {
  return putInPlace(world, path, data, modes, (temporary) => disk.rename(temporary, path));
}

/** Creates a file as `writeWhole` does, or fails with `EEXIST`. No other process ever sees a part of it. */
export function createWhole(world: World, path: string, data: string, modes: WriteModes): Written {
  return putInPlace(world, path, data, modes, (temporary) => {
    disk.addName(temporary, path);
    removeQuietly(temporary);
  });
}

function putInPlace(
  world: World,
  path: string,
  data: string | Uint8Array,
  modes: WriteModes,
  put: (temporary: string) => void,
): Written {
  const temporary = `${path}.${world.random()}.tmp`;
  try {
    disk.makeDirectory(dirname(path), modes.directoryMode);
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  const created = createFile(temporary, data, modes.exactMode ?? modes.fileMode, modes.exactMode);
  if (created.kind === "failed") return created;
  try {
    put(temporary);
    return { kind: "written" };
  } catch (error) {
    removeQuietly(temporary);
    return { kind: "failed", errno: errnoOf(error) };
  }
}

/** Creates a file that holds all of `data`, or creates none; fails with `EEXIST` where there is one. */
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

/** A short write means a full disk: asking again gets the errno. */
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

/**
 * Adds to the end of a file, or creates it.
 */
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

export type WithFile<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly errno: string };

/**
 * Puts a text into a temporary file, for a program that takes a path in place of a text.
 *
 * @output what `use` answers; `failed` where no file can be made
 * @effect a temporary directory that nobody else can read, gone afterwards
 * @error  what `use` throws
 */
export async function withTemporaryFile<Value>(
  name: string,
  text: string,
  use: (path: string) => Promise<Value>,
): Promise<WithFile<Value>> {
  let directory: string;
  try {
    directory = disk.makeTemporary(temporaryPath("codelia-"));
  } catch (error) {
    return { kind: "failed", errno: errnoOf(error) };
  }
  try {
    const path = join(directory, name);
    const written = createFile(path, text);
    return written.kind === "failed" ? written : { kind: "done", value: await use(path) };
  } finally {
    removeTreeQuietly(directory);
  }
}
