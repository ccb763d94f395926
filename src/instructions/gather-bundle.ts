import { shareBudget } from "./bundle.ts";
import type { InstructionFile, PassedOver } from "./chain.ts";
import type { Applying } from "./pending.ts";
import type { World } from "../world.ts";
import { gatherInstructions, targetsOf } from "./gather-instructions.ts";
import { instructionFacts } from "./facts.ts";
import { firstBytes, readInstructions, type ReadInstructions } from "./read-instructions.ts";
import type { Workspace } from "../workspace.ts";

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
