import { createHash } from "node:crypto";
import { join } from "node:path";
import { isLinked, lstatOf, namesIn } from "../lib/path-facts.ts";
import { removeQuietly, writeWhole } from "../lib/write-file.ts";
import type { World } from "../world.ts";
import { makeLedgerDirectory } from "./make-directory.ts";
import type { LedgerLocation } from "./location.ts";

// Full outputs of trimmed tools, kept in `outputs/` beside the ledger.

/** The limit for all kept outputs together. */
const QUOTA_BYTES = 64 * 1024 * 1024;

const REF_DIGITS = 16;

/** Outputs, and temporary files that were left behind. */
const OUTPUT = /^[0-9a-f]{16}(?:\.[0-9a-z]+\.tmp)?$/;

export interface KeptOutput {
  /** The start of the content's digest. */
  readonly ref: string;
  /** Where the full output is, or why it was not kept. */
  readonly whole: { readonly path: string } | { readonly reason: string };
}

/**
 * Keeps an output under the digest of its content, readable by the user only, and removes the oldest if there is no
 * room.
 */
export function keepOutput(
  world: World,
  location: LedgerLocation,
  markers: readonly string[],
  bytes: Uint8Array,
): KeptOutput {
  const ref = createHash("sha256").update(bytes).digest("hex").slice(0, REF_DIGITS);
  if (bytes.length > QUOTA_BYTES) return { ref, whole: { reason: "larger than the quota for outputs" } };
  const unmade = makeLedgerDirectory(world, location, markers);
  if (unmade !== undefined) return { ref, whole: { reason: unmade } };
  const directory = join(location.directory, "outputs");
  const path = join(directory, ref);
  if (isLinked(directory)) return { ref, whole: { reason: "the directory for outputs is a link" } };
  makeRoom(directory, ref, QUOTA_BYTES - bytes.length);
  const written = writeWhole(world, path, bytes, { directoryMode: 0o700, fileMode: 0o600 });
  return written.kind === "written" ? { ref, whole: { path } } : { ref, whole: { reason: written.errno } };
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
  return namesIn(directory).flatMap((name) => {
    const stats = OUTPUT.test(name) ? lstatOf(join(directory, name)) : undefined;
    return stats?.isFile() ? [{ name, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
  });
}
