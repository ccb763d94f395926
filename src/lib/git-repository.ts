import { dirname, join, resolve } from "node:path";
import type { World } from "../world.ts";
import type { Git } from "./git.ts";
import { entriesOf, isDirectory, isLinked, isThere, realPathOf, statOf } from "./path-facts.ts";
import { readText } from "./read-file.ts";
import { writeWhole } from "./write-file.ts";

export interface Repository {
  /** The top of the working tree. */
  readonly top: string;
  /** Where git keeps data of this working tree only. */
  readonly gitDirectory: string;
  /** Where git keeps data shared by all working trees; the same directory if there is only one. */
  readonly commonDirectory: string;
}

const MAX_POINTER_BYTES = 4096;

const POINTER = "gitdir: ";

/**
 * The repository that contains a directory, found without git, whose own search would read the config.
 *
 * @output links resolved; undefined if there is none
 * @effect reads
 */
export function findRepository(start: string): Repository | undefined {
  for (let directory = realPathOf(start) ?? start; ; directory = dirname(directory)) {
    const gitDirectory = realPathOf(gitDirectoryOf(directory));
    // Like git, skip a `.git` that is not a repository.
    if (gitDirectory !== undefined && isThere(join(gitDirectory, "HEAD"))) {
      return { top: directory, gitDirectory, commonDirectory: commonDirectoryOf(gitDirectory) };
    }
    if (dirname(directory) === directory) return undefined;
  }
}

/** The git directory of a working tree: its `.git` may be a file that names it. */
export function gitDirectoryOf(top: string): string {
  const own = join(top, ".git");
  const pointer = readText(own, MAX_POINTER_BYTES);
  if (pointer.kind !== "text" || !pointer.text.startsWith(POINTER)) return own;
  return resolve(top, pointer.text.slice(POINTER.length).trimEnd());
}

/** Of a linked working tree, the git directory of the main one. */
export function commonDirectoryOf(gitDirectory: string): string {
  const common = readText(join(gitDirectory, "commondir"), MAX_POINTER_BYTES);
  if (common.kind !== "text") return gitDirectory;
  const named = resolve(gitDirectory, common.text.trimEnd());
  return realPathOf(named) ?? named;
}

/** More than a repository has that is packed from time to time; a larger one runs into git's timeout. */
const MAX_ENTRIES = 100_000;

/** Other repositories, files that git does not open, and programs that are not run. */
const NOT_OPENED = new Set(["modules", "lfs", "hooks"]);

/**
 * A pipe or a device among git's files, which would block git when opened or never end when read.
 *
 * @output its path; undefined if there is none
 * @effect reads directories
 */
export function pipeIn(directory: string): string | undefined {
  const seen = new Set<string>();
  let entriesLeft = MAX_ENTRIES;

  function search(place: string): string | undefined {
    const real = realPathOf(place);
    if (real === undefined || seen.has(real)) return undefined;
    seen.add(real);
    for (const entry of entriesOf(real)) {
      if (--entriesLeft < 0) return undefined;
      const path = join(place, entry.name);
      if (entry.isFile() || (place === directory && NOT_OPENED.has(entry.name))) continue;
      if (isPipe(path)) return path;
      const found = isDirectory(path) ? search(path) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return search(directory);
}

/** Whether a path leads to a pipe or a device. */
export function isPipe(path: string): boolean {
  const stats = statOf(path);
  return stats !== undefined && (stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice());
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Hides a directory from `git status` with the clone's `info/exclude`, which is not committed.
 *
 * @input  pattern: of a directory, from the tree's root: `/name/`
 * @effect a line at the end of `info/exclude`, unless the directory is already ignored. If the file can't be written or
 *          is a link, nothing: a visible untracked directory does little harm
 */
export function excludeFromStatus(
  world: World,
  git: Git,
  { tree, pattern }: { readonly tree: string; readonly pattern: string },
): void {
  const isReadable = !isPipe(join(tree, ".gitignore"));
  if (isReadable && git.ask(["check-ignore", "--quiet", `.${pattern}`], { cwd: tree }).kind === "ok") return;
  const path = join(git.commonDirectory, "info", "exclude");
  // The link may lead to any of the user's files.
  if (isLinked(path)) return;
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text" && read.kind !== "absent") return;
  const before = read.kind === "text" ? read.text : "";
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  writeWhole(world, path, `${before}${gap}${pattern}\n`);
}
