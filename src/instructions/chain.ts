import type { Keep } from "../config/settings.ts";
import type { FileVersion } from "../lib/fs.ts";

/** The names that are tried in every directory, the one that counts most first. */
export const MAIN_NAMES: readonly string[] = ["AGENTS.override.md", "AGENTS.md"];

/** A file name that exists in a directory on the ladder. */
export interface Candidate {
  readonly path: string;
  readonly found: FoundFile | { readonly kind: "unusable"; readonly reason: UnusableReason };
}

export interface FoundFile {
  readonly kind: "file";
  readonly version: FileVersion;
  /** Device and inode: the same file under two names has one identity. */
  readonly identity: string;
  /** The path with every link resolved: the text is read from there. */
  readonly realPath: string;
}

export type UnusableReason =
  | "not-a-regular-file"
  | "dangling-link"
  | "link-outside-root"
  | "no-permission"
  | "unreadable";

/** One directory of the ladder. The first main name that can be used counts, and every additional one. */
export interface Rung {
  readonly directory: string;
  readonly main: readonly Candidate[];
  readonly additional: readonly Candidate[];
}

export interface InstructionFile extends FoundFile {
  readonly path: string;
  readonly directory: string;
}

export interface PassedOver {
  readonly path: string;
  readonly reason: UnusableReason | "hidden" | "duplicate";
  /** The file that is used instead, for `hidden` and `duplicate`. */
  readonly by?: string;
}

export interface Chain {
  /** In the order of the ladder, each file once, by its first name. */
  readonly files: readonly InstructionFile[];
  readonly passedOver: readonly PassedOver[];
}

/**
 * The instruction files of a ladder: in each directory the first usable main name, then every usable additional one.
 * Names that can't be used are reported.
 */
export function chooseChain(rungs: readonly Rung[]): Chain {
  const files: InstructionFile[] = [];
  const passedOver: PassedOver[] = [];
  const pathByIdentity = new Map<string, string>();

  function take(candidate: Candidate, directory: string): void {
    const { path, found } = candidate;
    if (found.kind === "unusable") return void passedOver.push({ path, reason: found.reason });
    const twin = pathByIdentity.get(found.identity);
    if (twin === path) return;
    if (twin !== undefined) return void passedOver.push({ path, reason: "duplicate", by: twin });
    pathByIdentity.set(found.identity, path);
    files.push({ ...found, path, directory });
  }

  for (const rung of rungs) {
    let chosen: string | undefined;
    for (const candidate of rung.main) {
      if (candidate.path === chosen) continue;
      if (chosen !== undefined) {
        passedOver.push({ path: candidate.path, reason: "hidden", by: chosen });
        continue;
      }
      if (candidate.found.kind === "file") chosen = candidate.path;
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

/** How much of one file is shown. `shownBytes < sizeBytes` is a cut, and is said; 0 of a non-empty file is "left out". */
export interface Share {
  readonly shownBytes: number;
  readonly sizeBytes: number;
}

/**
 * How many bytes of each file fit, given the sizes in the order root → cwd. The answer has the same order.
 * From the end that `keep` favours, files are taken whole until one crosses the limit; that one is cut, and
 * those after it are left out.
 */
export function shareBudget(sizes: readonly number[], limits: BundleLimits): Share[] {
  const shares: Share[] = sizes.map((sizeBytes) => ({ shownBytes: 0, sizeBytes }));
  const order = [...sizes.keys()];
  if (limits.keep === "nearest-first") order.reverse();
  let room = limits.maxBytes;
  for (const index of order.slice(0, limits.maxFiles)) {
    const sizeBytes = sizes[index] as number;
    const shownBytes = Math.min(sizeBytes, room);
    shares[index] = { shownBytes, sizeBytes };
    room -= shownBytes;
  }
  return shares;
}
