import type { Keep } from "../config/settings.ts";
import type { FileVersion } from "../lib/fs.ts";

/** The names that are tried in every directory, highest priority first. */
export const MAIN_NAMES: readonly string[] = ["AGENTS.override.md", "AGENTS.md"];

/** If the config adds this name, its files have imports (`imports.ts`). */
export const IMPORTING_NAME = "CLAUDE.md";

/** A file name that exists in a directory on the ladder. */
export interface Candidate {
  readonly path: string;
  readonly found: FoundFile | { readonly kind: "unusable"; readonly reason: UnusableReason };
  /** The main name that it accompanies, if that one is chosen. */
  readonly beside?: string;
  /** The file whose text names it. */
  readonly importedBy?: string;
  /** The files that its text names; looked up only if it is used. */
  readonly imports?: () => readonly Candidate[];
}

export interface FoundFile {
  readonly kind: "file";
  readonly version: FileVersion;
  /** Device and inode: the same file under two names has one identity. */
  readonly identity: string;
  /** The path with every link resolved; the text is read from there. */
  readonly realPath: string;
}

export type UnusableReason =
  | "not-a-regular-file"
  | "dangling-link"
  | "link-outside-root"
  | "no-permission"
  | "unreadable";

/** One directory of the ladder. The first usable main name counts, and every usable additional one. */
export interface Rung {
  readonly directory: string;
  readonly main: readonly Candidate[];
  readonly additional: readonly Candidate[];
}

export interface InstructionFile extends FoundFile {
  readonly path: string;
  /** The directory that it applies to: usually its own; for an imported file, that of the file that imports it. */
  readonly directory: string;
  readonly importedBy?: string;
  /** Only its client looks for it, by a name or a rule of its own. */
  readonly isOwn?: boolean;
  /** There is nothing in it to be told of. */
  readonly saysNothing?: boolean;
}

export interface PassedOver {
  readonly path: string;
  readonly reason: UnusableReason | "hidden" | "duplicate";
  /** The file that is used instead, for `hidden` and `duplicate`; otherwise the one that imports it. */
  readonly by?: string;
}

export interface Chain {
  /** In the order of the ladder, each file once, by its first name. */
  readonly files: readonly InstructionFile[];
  readonly passedOver: readonly PassedOver[];
}

/**
 * The instruction files of a ladder: in each directory the first usable main name, then every usable additional one.
 * Unusable names are reported.
 */
export function chooseChain(rungs: readonly Rung[]): Chain {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [];
  const pathByIdentity = new Map<string, string>();

  function take(candidate: Candidate, directory: string): void {
    const { path, found, importedBy } = candidate;
    if (found.kind === "unusable") {
      return void passedOver.push({ path, reason: found.reason, ...(importedBy !== undefined && { by: importedBy }) });
    }
    const twin = pathByIdentity.get(found.identity);
    if (twin === path) return;
    if (twin !== undefined) return void passedOver.push({ path, reason: "duplicate", by: twin });
    pathByIdentity.set(found.identity, path);
    files.push({ ...found, path, directory, ...(importedBy !== undefined && { importedBy }) });
    if (candidate.imports !== undefined) for (const imported of candidate.imports()) take(imported, directory);
  }

  for (const rung of rungs) {
    let chosen: string | undefined;
    for (const candidate of rung.main) {
      if (candidate.path === chosen) continue;
      if (chosen !== undefined && candidate.beside !== chosen) {
        passedOver.push({ path: candidate.path, reason: "hidden", by: chosen });
        continue;
      }
      if (candidate.found.kind === "file") chosen ??= candidate.path;
      take(candidate, rung.directory);
    }
    for (const candidate of rung.additional) take(candidate, rung.directory);
  }
  return { files, passedOver };
}

/** The limits of the initial bundle. */
export interface BundleLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly keep: Keep;
}

/**
 * How much of one file is shown. `shownBytes < sizeBytes` means a cut, which is marked; 0 of a non-empty file means
 * left out.
 */
export interface Share {
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

/** A nearest file that takes at most this share of a limit is kept: leaving it out would gain the others nothing. */
const RESERVED_SHARE = 1 / 8;
/** What the nearest file leaves to the others at least, if it takes more than that share. */
const LEFT_TO_OTHERS = 64 * 1024;

/**
 * How many bytes of each file fit, given the sizes in the order root → cwd; the answer has the same order. Starting at
 * the end that `keep` favours, files are taken whole until one exceeds the limit. That one is cut, and those after it
 * are left out. Room for the nearest file is set aside first.
 */
export function shareBudget(sizes: readonly number[], limits: BundleLimits): Share[] {
  const shares: Share[] = sizes.map((sizeBytes) => ({ shownBytes: 0, sizeBytes }));
  const order = [...sizes.keys()];
  if (limits.keep === "nearest-first") order.reverse();
  const kept = order.slice(0, limits.maxFiles);
  const nearest = sizes.length - 1;
  if (!kept.includes(nearest) && limits.maxFiles * RESERVED_SHARE >= 1) kept.splice(-1, 1, nearest);
  const reserved = kept.includes(nearest) ? reservedFor(sizes[nearest] ?? 0, limits.maxBytes) : 0;
  let room = limits.maxBytes - reserved;
  for (const index of kept) {
    const sizeBytes = sizes[index] as number;
    const own = index === nearest ? reserved : 0;
    const shownBytes = Math.min(sizeBytes, room + own);
    shares[index] = { shownBytes, sizeBytes };
    room -= shownBytes - own;
  }
  return shares;
}

function reservedFor(sizeBytes: number, maxBytes: number): number {
  const isSmall = sizeBytes <= maxBytes * RESERVED_SHARE;
  return isSmall ? sizeBytes : Math.min(sizeBytes, Math.max(0, maxBytes - LEFT_TO_OTHERS));
}
