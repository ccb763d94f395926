import { readStart } from "../lib/read-file.ts";
import { BOM_BYTES, characterBoundary, isBlank, startsWithBom } from "../lib/text.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { FileVersion } from "../lib/fs.ts";
import { shareBudget, type InstructionFile, type PassedOver } from "./chain.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "./gather.ts";
import type { Applying, LazyFacts } from "./pending.ts";

/** What a context is told at its start. */
export interface Bundle {
  readonly parts: readonly BundlePart[];
  /** What did not fit. It stays pending: whoever works in its scope is told again. */
  readonly leftOut: readonly { readonly path: string; readonly sizeBytes: number }[];
  /** What the ledger records: the files of `parts`. */
  readonly told: readonly Pick<InstructionFile, "path" | "directory" | "realPath" | "version">[];
  readonly passedOver: readonly PassedOver[];
}

export interface BundlePart {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

/**
 * The home-level file and the chain of the working directory, within the limits of the initial bundle.
 *
 * @effect reads the files; warnings for those that can't be read; that of plugins
 * @error  none
 */
export async function gatherBundle(world: World, workspace: Workspace): Promise<Bundle> {
  return bundleOf(
    world,
    workspace,
    await gatherInstructions(world, workspace, targetsOf(workspace, [workspace.cwd])),
    () => false,
  );
}

/**
 * The same of a chain that was gathered already.
 *
 * @input  isKnown: files that are not for it, and take none of its room
 * @effect reads the files; warnings for those that can't be read
 * @error  none
 */
export function bundleOf(
  world: World,
  workspace: Workspace,
  { files, passedOver, home: homeFiles }: Applying,
  isKnown: (path: string) => boolean,
): Bundle {
  const limits = workspace.settings.agents.initial;
  const facts = instructionFacts(world);
  const home = homeFiles.find((file) => !facts.isBlank(file));
  // The home file is the user's own and does not count against the project's budget; its own size has the same limit.
  const homeRead = readInstructions(world, home ? [home] : [], limits.maxBytes, facts);
  const projectRead = readInstructions(
    world,
    files.filter((file) => file.identity !== home?.identity && !isKnown(file.path)),
    limits.maxBytes,
    facts,
  );
  const shares = shareBudget(
    projectRead.map((read) => read.sizeBytes),
    limits,
  );
  const shown = [
    ...homeRead.map((read) => show(read, limits.maxBytes)),
    ...projectRead.map((read, index) => show(read, shares[index]?.shownBytes ?? 0)),
  ];
  const kept = shown.filter((entry) => entry.part.shownBytes > 0);
  return {
    parts: kept.map((entry) => entry.part),
    leftOut: shown
      .filter((entry) => entry.part.shownBytes === 0)
      .map(({ part: { path, sizeBytes } }) => ({ path, sizeBytes })),
    told: kept.map(({ read: { path, directory, realPath, version } }) => ({ path, directory, realPath, version })),
    passedOver,
  };
}

function show(read: ReadInstructions, limit: number): { read: ReadInstructions; part: BundlePart } {
  const bytes = firstBytes(read, limit);
  return { read, part: { path: read.path, bytes, shownBytes: bytes.length, sizeBytes: read.sizeBytes } };
}

/** An instruction file as it was when it was read. */
export interface ReadInstructions {
  readonly path: string;
  readonly directory: string;
  readonly realPath: string;
  readonly version: FileVersion;
  /** Its text without a byte order mark, as far as it was read. */
  readonly bytes: Uint8Array;
  /** The whole text's size. */
  readonly sizeBytes: number;
}

/**
 * Reads the files of a chain.
 *
 * @input  limit: the most that could be shown of one file; facts: to tell a long blank file from a long one
 * @output those that can be read and are not blank, in the order given
 * @effect reads; a warning for each that can't be read or was replaced by another file meanwhile
 * @error  none
 */
export function readInstructions(
  world: World,
  files: readonly InstructionFile[],
  limit: number,
  facts: LazyFacts,
): ReadInstructions[] {
  return files.map((file) => readOne(world, file, limit, facts)).filter((read) => read !== undefined);
}

/** The part of a text that fits: whole lines, of a text that has none whole characters. */
export function firstBytes(read: ReadInstructions, limit: number): Uint8Array {
  if (limit >= read.bytes.length) return read.bytes;
  const lineEnd = limit === 0 ? -1 : read.bytes.lastIndexOf(0x0a, limit - 1);
  return read.bytes.subarray(0, lineEnd >= 0 ? lineEnd + 1 : characterBoundary(read.bytes, limit));
}

function readOne(world: World, file: InstructionFile, limit: number, facts: LazyFacts): ReadInstructions | undefined {
  // Beyond the limit: a byte order mark, and the rest of a character that the limit may cut.
  const read = readStart(file.realPath, limit + BOM_BYTES + 4);
  if (read.kind === "absent") return undefined;
  if (read.kind === "unusable") return refuse(world, file, read.reason);
  // The path was judged, then opened: what was opened must be what was judged.
  if (read.identity !== file.identity) return refuse(world, file, "it was replaced while it was read");
  const skipped = startsWithBom(read.bytes) ? BOM_BYTES : 0;
  const bytes = read.bytes.subarray(skipped);
  // A start that says nothing may be all of it, or not.
  if (isBlank(read.bytes, read.bytes.length) && facts.isBlank(file)) return undefined;
  const { path, directory, realPath } = file;
  return { path, directory, realPath, version: read.version, bytes, sizeBytes: read.version.sizeBytes - skipped };
}

function refuse(world: World, file: InstructionFile, reason: string): undefined {
  world.warn(`'${file.path}' is passed over: ${reason}`);
}
