import { join } from "node:path";
import { shortHash } from "../../lib/hash.ts";
import type { UserPlaces } from "../../config/user-places.ts";
import type { World } from "../../world.ts";
import { disk } from "../../lib/fs.ts";
import { readText } from "../../lib/read-file.ts";
import { removeQuietly, writeWhole, type Written } from "../../lib/write-file.ts";

/** Which run a client's session is guided through, whatever its working directory is by now. */
export interface GuidedPointer {
  readonly session: string;
  /** The state directory that the run is recorded in. */
  readonly directory: string;
  readonly instance: string;
}

const MAX_BYTES = 16 * 1024;
const MAX_AGE_MS = 30 * 86_400_000;

/** From the user's own state directory: a clone can't plant one. */
export function readGuidedPointer(places: UserPlaces, session: string): GuidedPointer | undefined {
  const read = readText(pointerPath(places, session), MAX_BYTES);
  if (read.kind !== "text") return undefined;
  try {
    const { directory, instance, ...named } = JSON.parse(read.text);
    const isWhole = typeof directory === "string" && typeof instance === "string";
    // Two sessions may have one hash.
    return isWhole && named.session === session ? { session, directory, instance } : undefined;
  } catch {
    return undefined;
  }
}

export function writeGuidedPointer(world: World, places: UserPlaces, pointer: GuidedPointer): Written {
  const text = `${JSON.stringify(pointer)}\n`;
  return writeWhole(world, pointerPath(places, pointer.session), text, { directoryMode: 0o700, fileMode: 0o600 });
}

export function removeGuidedPointer(places: UserPlaces, session: string): void {
  removeQuietly(pointerPath(places, session));
}

/** Removes the pointers of sessions that have been idle for a month. */
export function sweepGuidedPointers(world: World, places: UserPlaces): void {
  const directory = join(places.state, "guided");
  try {
    for (const { name } of disk.list(directory)) {
      const path = join(directory, name);
      const stats = disk.look(path);
      if (stats !== undefined && world.now() - stats.mtimeMs > MAX_AGE_MS) removeQuietly(path);
    }
  } catch {
    // The directory is not there yet.
  }
}

export function pointerPath(places: UserPlaces, session: string): string {
  return join(places.state, "guided", `${shortHash(session)}.json`);
}
