/**
 * What a file was when it was told. Another mtime or size makes it new again; another `ctimeMs` only if its text differs
 * too.
 */
export interface FileVersion {
  readonly mtimeMs: number;
  readonly sizeBytes: number;
  readonly ctimeMs?: number | undefined;
}

/** A name that exists in a directory on the ladder, as the probe saw it. */
export interface Candidate {
  readonly path: string;
  readonly found: FoundFile | { readonly kind: "unusable"; readonly reason: UnusableReason };
}

export interface FoundFile {
  readonly kind: "file";
  readonly version: FileVersion;
  /** Device and inode: the same file under two names has one identity. */
  readonly identity: string;
  /** Where the text is read from: the path with every link resolved. */
  readonly realPath: string;
}

export type UnusableReason =
  | "not-a-regular-file"
  | "dangling-link"
  | "link-outside-root"
  | "no-permission"
  | "unreadable";

/** One directory of the ladder: the main names in order of priority, then the additional ones. */
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
  /** In the order of the ladder; each file once, under its first name. */
  readonly files: readonly InstructionFile[];
  readonly passedOver: readonly PassedOver[];
}

/**
 * The instruction files of a ladder: per directory the first usable main name, then every usable additional one.
 * Names that can't be used fall to the next name and are reported.
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
