import { BOM_BYTES, characterBoundary, isBlank, startsWithBom } from "../lib/bytes.ts";
import { readStart, whyUnread } from "../lib/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import type { FileVersion } from "../lib/fs.ts";
import { shareBudget, type InstructionFile, type PassedOver } from "./chain.ts";
import { gatherInstructions, instructionFacts, targetsOf } from "./gather.ts";
import type { Applying, LazyFacts } from "./pending.ts";

/** What a context is told when it begins. */
export interface Bundle {
  readonly parts: readonly BundlePart[];
  /** What did not fit. */
  readonly leftOut: readonly { readonly path: string; readonly sizeBytes: number }[];
  /** What the ledger records: the files of `parts`, and those of `leftOut`, of which only the path is given. */
  readonly told: readonly NotedFile[];
  readonly named: readonly NotedFile[];
  readonly passedOver: readonly PassedOver[];
  /** The bytes of files that were read whole, by their real paths. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

type NotedFile = Pick<InstructionFile, "path" | "directory" | "realPath" | "version">;

export interface BundlePart {
  readonly path: string;
  /** The part of its text that may be shown. */
  readonly bytes: Uint8Array;
  /** The size of the whole text. */
  readonly sizeBytes: number;
}

/**
 * The home-level file and the chain of the working directory, within the limits of the initial bundle.
 *
 * @effect reads the files; warns of those that can't be read; asks plugins
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
 * The same for a chain that has already been gathered.
 *
 * @input  isKnown: files that need not be included, and take up no room
 * @effect reads the files; warns of those that can't be read
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
  // The home file is the user's own and does not count against the project's budget. Its own size has the same limit.
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
  const kept = shown.filter((entry) => entry.part.bytes.length > 0);
  const out = shown.filter((entry) => entry.part.bytes.length === 0);
  return {
    parts: kept.map((entry) => entry.part),
    leftOut: out.map(({ part: { path, sizeBytes } }) => ({ path, sizeBytes })),
    told: kept.map(({ read }) => noted(read)),
    named: out.map(({ read }) => noted(read)),
    passedOver,
    texts: new Map(shown.flatMap(({ read }) => (read.whole === undefined ? [] : [[read.realPath, read.whole]]))),
  };
}

function noted({ path, directory, realPath, version }: ReadInstructions): NotedFile {
  return { path, directory, realPath, version };
}

function show(read: ReadInstructions, limit: number): { read: ReadInstructions; part: BundlePart } {
  return { read, part: { path: read.path, bytes: firstBytes(read, limit), sizeBytes: read.sizeBytes } };
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
  /** The whole file with its byte order mark, if all of it was read. */
  readonly whole: Uint8Array | undefined;
}

/**
 * Reads the files of a chain.
 *
 * @input  limit: the most that could be shown of one file; facts: to tell a long blank file from a long one
 * @output those that can be read and are not blank, in the order given
 * @effect reads; warns of each file that can't be read or was replaced meanwhile
 */
export function readInstructions(
  world: World,
  files: readonly InstructionFile[],
  limit: number,
  facts: LazyFacts,
): ReadInstructions[] {
  return files.map((file) => readOne(world, file, limit, facts)).filter((read) => read !== undefined);
}

/** The part of a text that fits: whole lines, or whole characters if it has no line end. */
export function firstBytes(read: ReadInstructions, limit: number): Uint8Array {
  if (limit >= read.bytes.length) return read.bytes;
  const lineEnd = limit === 0 ? -1 : read.bytes.lastIndexOf(0x0a, limit - 1);
  return read.bytes.subarray(0, lineEnd >= 0 ? lineEnd + 1 : characterBoundary(read.bytes, limit));
}

function readOne(world: World, file: InstructionFile, limit: number, facts: LazyFacts): ReadInstructions | undefined {
  // Room for a byte order mark, and for the rest of a character at the limit.
  const read = readStart(file.realPath, limit + BOM_BYTES + 4);
  if (read.kind === "absent") return undefined;
  if (read.kind === "unusable") return refuse(world, file, whyUnread(read));
  // Check that the file opened is the one that was approved.
  if (read.identity !== file.identity) return refuse(world, file, "it was replaced while it was read");
  const skipped = startsWithBom(read.bytes) ? BOM_BYTES : 0;
  const bytes = read.bytes.subarray(skipped);
  // A blank start may or may not mean that all of it is blank.
  if (isBlank(read.bytes, read.bytes.length) && facts.isBlank(file)) return undefined;
  const { path, directory, realPath } = file;
  const { version } = read;
  const whole = read.bytes.length === version.sizeBytes ? read.bytes : undefined;
  return { path, directory, realPath, version, bytes, sizeBytes: version.sizeBytes - skipped, whole };
}

function refuse(world: World, file: InstructionFile, reason: string): undefined {
  world.warn(`'${file.path}' is skipped: ${reason}`);
}
