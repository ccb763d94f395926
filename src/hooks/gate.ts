import type { Context } from "../ledger/schema.ts";
import type { InstructionFile } from "../instructions/chain.ts";
import { isInside } from "../lib/paths.ts";
import { isKnown, isNamedOnly, isTold, type Pending } from "../instructions/pending.ts";

/**
 * The files that keep a path from being written: those that apply there, and whose text the context was neither given
 * nor seen to read in this epoch, in whatever version. Having kept something back once counts as given.
 *
 * @param files all that apply, root first
 * @param written the paths that are about to be written
 */
export function closedFiles(
  files: readonly InstructionFile[],
  pending: Pending,
  context: Context,
  written: readonly string[],
): InstructionFile[] {
  const isPresent = (file: InstructionFile) =>
    isTold(context, file.path, file.version) || pending.renewed.includes(file);
  return files.filter((file) => {
    if (!written.some((path) => isInside(file.directory, path))) return false;
    const isToldNow = pending.tell.includes(file);
    if (isNamedOnly(context, file.path)) return isToldNow || isPresent(file);
    return isToldNow && !isKnown(context, file.path);
  });
}
