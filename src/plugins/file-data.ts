import type { InstructionFile } from "../instructions/chain.ts";

/** An instruction file as plugins see it. */
export function asFileData({ path, version }: InstructionFile) {
  return { path, mtimeMs: version.mtimeMs, sizeBytes: version.sizeBytes };
}
