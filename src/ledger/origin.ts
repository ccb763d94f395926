import { join } from "node:path";
import { shortHash } from "../lib/hash.ts";
import type { UserPlaces } from "../config/user-places.ts";
import { disk } from "../lib/fs.ts";
import { readText } from "../lib/read-file.ts";

/** A path and an id. */
const MAX_BYTES = 64 * 1024;

/**
 * The root whose ledger a session is recorded in.
 *
 * @output undefined if no root is claimed
 * @effect none
 * @error  none
 */
export function readOrigin(places: UserPlaces, id: string): string | undefined {
  for (const path of originPaths(places, id)) {
    const origin = readOriginFile(path);
    // Two ids may share a hash.
    if (origin?.id === id) return origin.root;
  }
  return undefined;
}

/** The files that may name it, best first. */
export function originPaths({ state, runtime }: UserPlaces, id: string): readonly string[] {
  const name = shortHash(id);
  const path = join(state, "sessions", name);
  return runtime === undefined ? [path] : [path, join(runtime, "sessions", name)];
}

/** The content of such a file. */
export function readOriginFile(path: string): { readonly id: string; readonly root: string } | undefined {
  try {
    // Mostly there is none, and looking costs less than a failed open.
    const read = disk.look(path) === undefined ? undefined : readText(path, MAX_BYTES);
    if (read?.kind !== "text") return undefined;
    const { id, root } = JSON.parse(read.text);
    return typeof id === "string" && typeof root === "string" ? { id, root } : undefined;
  } catch {
    return undefined;
  }
}
