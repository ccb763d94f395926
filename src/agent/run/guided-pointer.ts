import { join } from "node:path";
import { shortHash } from "../../lib/hash.ts";
import type { UserDirectories } from "../../config/user-directories.ts";
import type { World } from "../../world.ts";
import { disk } from "../../lib/fs.ts";
import { readText } from "../../lib/read-file.ts";
import { removeQuietly, writeWhole, type Written } from "../../lib/write-file.ts";

/** Which run a client's session is guided through, wherever the session works now. */
export interface GuidedPointer {
  readonly session: string;
  /** The state directory that records the run. */
  readonly directory: string;
  readonly instance: string;
}

const MAX_BYTES = 16 * 1024;
const MAX_AGE_MS = 30 * 86_400_000;

/** Read from the user's own state directory, which no clone can write. */
export function readGuidedPointer(userDirectories: UserDirectories, session: string): GuidedPointer | undefined {
  const read = readText(pointerPath(userDirectories, session), MAX_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const { directory, instance, ...named } = JSON.parse(read.text);
    const isWhole = typeof directory === "string" && typeof instance === "string";
    // Two sessions may have the same hash.
    return isWhole && named.session === session ? { session, directory, instance } : undefined;
  } catch {
    return undefined;
  }
}

export function writeGuidedPointer(world: World, userDirectories: UserDirectories, pointer: GuidedPointer): Written {
  const text = `${JSON.stringify(pointer)}\n`;
  return writeWhole(world, pointerPath(userDirectories, pointer.session), text, {
    directoryMode: 0o700,
    fileMode: 0o600,
  });
}

export function removeGuidedPointer(userDirectories: UserDirectories, session: string): void {
  removeQuietly(pointerPath(userDirectories, session));
}

/** Removes the pointers of sessions idle for a month. */
export function sweepGuidedPointers(world: World, userDirectories: UserDirectories): void {
  const directory = join(userDirectories.state, "guided");
  try {
    for (const { name } of disk.list(directory)) {
      const path = join(directory, name);
      const stats = disk.look(path);
      if (stats !== undefined && world.now() - stats.mtimeMs > MAX_AGE_MS) removeQuietly(path);
    }
  } catch {
    // The directory does not exist yet.
  }
}

export function pointerPath(userDirectories: UserDirectories, session: string): string {
  return join(userDirectories.state, "guided", `${shortHash(session)}.json`);
}
