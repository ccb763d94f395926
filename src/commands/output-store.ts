import { createHash } from "node:crypto";
import { join } from "node:path";
import type { World } from "../world.ts";
import { disk } from "../lib/fs.ts";
import { isLinked } from "../lib/same-place.ts";
import { makeStatePlace } from "../ledger/make-place.ts";
import type { StatePlace } from "../ledger/state-place.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";

/** All kept outputs together are at most this large. */
export const OUTPUTS_QUOTA_BYTES = 64 * 1024 * 1024;
const REF_DIGITS = 16;
/** What is removed for room: outputs, and those that were left half written. */
const OUTPUT = /^[0-9a-f]{16}(?:\.[0-9a-z]+\.tmp)?$/;

export type Kept =
  | { readonly kind: "kept"; readonly ref: string; readonly path: string }
  | { readonly kind: "not-kept"; readonly ref: string; readonly reason: string };

/**
 * Keeps an output under the name of its content, and makes room for it by removing the oldest.
 *
 * @effect a file below `outputs/`, readable by the user alone; older ones may go
 * @error  none: what can't be kept says why
 */
export function keepOutput(world: World, place: StatePlace, markers: readonly string[], bytes: Uint8Array): Kept {
  const ref = createHash("sha256").update(bytes).digest("hex").slice(0, REF_DIGITS);
  if (bytes.length > OUTPUTS_QUOTA_BYTES) return { kind: "not-kept", ref, reason: "larger than all room for outputs" };
  const unmade = makeStatePlace(world, place, markers);
  if (unmade !== undefined) return { kind: "not-kept", ref, reason: unmade };
  const directory = join(place.directory, "outputs");
  const path = join(directory, ref);
  if (isLinked(directory)) return { kind: "not-kept", ref, reason: "the directory for outputs is a link" };
  makeRoom(directory, ref, OUTPUTS_QUOTA_BYTES - bytes.length);
  const written = writeWhole(world, path, bytes, { directoryMode: 0o700, fileMode: 0o600 });
  return written.kind === "written" ? { kind: "kept", ref, path } : { kind: "not-kept", ref, reason: written.errno };
}

function makeRoom(directory: string, except: string, room: number): void {
  const outputs = listOutputs(directory).filter(({ name }) => name !== except);
  let total = outputs.reduce((sum, output) => sum + output.size, 0);
  for (const { name, size } of outputs.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= room) return;
    removeQuietly(join(directory, name));
    total -= size;
  }
}

function listOutputs(directory: string): { name: string; size: number; mtimeMs: number }[] {
  try {
    return disk.list(directory).flatMap(({ name }) => {
      const stats = OUTPUT.test(name) ? disk.look(join(directory, name)) : undefined;
      return stats?.isFile() ? [{ name, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
    });
  } catch {
    return [];
  }
}
