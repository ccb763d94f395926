import type { Dirent } from "node:fs";
import { join, sep, dirname, resolve } from "node:path";
import { disk, errnoOf } from "../lib/fs.ts";
import { commonDirectoryOf, gitDirectoryOf } from "../lib/git-repository.ts";
import { trackedIn } from "../lib/git-index.ts";
import { isIgnored, readIgnoreRules, type IgnoreRules } from "../lib/ignore.ts";
import { linkFollower } from "../lib/links.ts";
import { isLinked, isThere, realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder } from "../lib/paths.ts";
import { readText } from "../lib/read-file.ts";
import { withoutEnd } from "../lib/text.ts";
import { SKILL_FILE } from "../skills/skill.ts";

const MAX_DEPTH = 100;

const MAX_ENTRIES = 2_000_000;

const HOLDERS: ReadonlySet<string> = new Set([".agents"]);

const REPOSITORY = ".git";

export interface WalkOptions {
  /** Names of files to find, in any letter case. */
  readonly names: readonly string[];
  /** Names of directories that are not entered. */
  readonly ignored: ReadonlySet<string>;
  /** Where ignore files begin to count outside a repository. */
  readonly root: string;
  /** Names of directories that may hold skills or agent definitions. */
  readonly holders?: ReadonlySet<string>;
  /** Names of further files to find, in lower case. */
  readonly manifests?: ReadonlySet<string>;
  /** Called with the number of entries of each directory. */
  readonly onEntries?: ((count: number) => void) | undefined;
}

export interface WalkedRepository {
  /** The names that were found, by directory. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** The paths of the further files. */
  readonly manifests: readonly string[];
  /** Every directory that was listed. */
  readonly directories: readonly string[];
  /** Directories that may contain skills. */
  readonly skillDirectories: readonly string[];
  /** Every SKILL.md, wherever it is; no links. */
  readonly skillFiles: readonly string[];
  /** Symbolic links in them. */
  readonly links: readonly string[];
  /** What was left out, and why. */
  readonly limits: readonly { readonly path: string; readonly message: string }[];
  /** Whether a path below the start is ignored, or would be if it existed. */
  isIgnored(path: string): boolean;
}

/**
 * Walks through a repository once, for all checks. Leaves out ignored files, and repositories inside it, which are
 * projects of their own. Links are not followed.
 *
 * @param start canonical
 */
export function walkRepository(
  start: string,
  { names, ignored, root, holders = HOLDERS, manifests = new Set(), onEntries }: WalkOptions,
): WalkedRepository {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const lengths = new Set([...wanted, ...manifests].map(({ length }) => length));
  const manifestPaths: string[] = [];
  const found = new Map<string, string[]>();
  const visited: string[] = [];
  const skillDirectories: string[] = [];
  const skillFiles: string[] = [];
  const links: string[] = [];
  const limits: { path: string; message: string }[] = [];
  /** For each directory with an ignore file of its own, and for the start. */
  const rulesAt = new Map<string, IgnoreRules | undefined>();
  const isTracked = trackedIn(repositoryOf(start) ?? root);
  let entriesLeft = MAX_ENTRIES;

  function visit(directory: string, above: IgnoreRules | undefined, depth: number): void {
    const entries = list(directory);
    entriesLeft -= entries.length;
    onEntries?.(entries.length);
    if (entriesLeft < 0) return;
    const directories: string[] = [];
    const candidates: string[] = [];
    let hasRules = false;
    let hasSkill = false;
    const held: string[] = [];
    const further: string[] = [];
    for (const entry of entries) {
      const { name } = entry;
      const isDirectory = entry.isDirectory();
      if (name === REPOSITORY && depth > 0) return;
      if (isDirectory) directories.push(name);
      else if (name === IGNORE_FILE) hasRules = true;
      else if (name === SKILL_FILE) hasSkill = entry.isFile();
      if (entry.isSymbolicLink()) links.push(join(directory, name));
      if (lengths.has(name.length)) {
        const folded = name.toLowerCase();
        if (wanted.has(folded)) candidates.push(name);
        else if (manifests.has(folded)) further.push(name);
      }
      if (holders.has(name)) held.push(name);
    }
    visited.push(directory);
    const rules = hasRules ? rulesIn(directory, above) : above;
    if (rules !== above) rulesAt.set(directory, rules);
    if (rules !== above) noteLimit(rules);
    const kept = candidates.filter((name) => !isPassedOver(rules, directory, name, directories.includes(name)));
    if (kept.length > 0) found.set(directory, kept);
    // One that git ignores, though it was committed, counts as well.
    for (const name of further) manifestPaths.push(join(directory, name));
    if (held.some((name) => !isPassedOver(rules, directory, name, true))) skillDirectories.push(directory);
    if (hasSkill && !isPassedOver(rules, directory, SKILL_FILE, false)) skillFiles.push(join(directory, SKILL_FILE));
    for (const name of directories) {
      // In another ignored directory nobody keeps what clients read.
      const isOut = holders.has(name)
        ? isPassedOver(rules, directory, name, true)
        : isIgnored(rules, directory, name, true);
      if (ignored.has(name) || isOut) continue;
      const path = directory + (directory.endsWith(sep) ? "" : sep) + name;
      if (depth === MAX_DEPTH) limits.push({ path, message: `it is more than ${MAX_DEPTH} directories deep` });
      else visit(path, rules, depth + 1);
    }
  }

  /** Whether git ignores it, and does not track it nevertheless. */
  function isPassedOver(
    rules: IgnoreRules | undefined,
    directory: string,
    name: string,
    isDirectory: boolean,
  ): boolean {
    return isIgnored(rules, directory, name, isDirectory) && !isTracked(join(directory, name), isDirectory);
  }

  function noteLimit(rules: IgnoreRules | undefined): void {
    if (rules?.limit !== undefined) limits.push({ path: join(rules.base, IGNORE_FILE), message: rules.limit });
  }

  function list(directory: string): Dirent[] {
    try {
      return disk.list(directory);
    } catch (error) {
      limits.push({ path: directory, message: `it can't be listed (${errnoOf(error)})` });
      return [];
    }
  }

  const above = rulesAbove(start, root);
  rulesAt.set(start, above);
  for (let rules = above; rules !== undefined; rules = rules.above) noteLimit(rules);
  visit(start, above, 0);
  if (entriesLeft < 0) limits.push({ path: start, message: `it has more than ${MAX_ENTRIES} files and directories` });
  return {
    found,
    manifests: manifestPaths,
    directories: visited,
    skillDirectories,
    skillFiles,
    links,
    limits,
    isIgnored(path) {
      if (!isInside(start, path)) return false;
      const way = path
        .slice(start.length)
        .split(sep)
        .filter((name) => name !== "");
      let directory = start;
      let rules = rulesAt.get(start);
      for (const [index, name] of way.entries()) {
        const isDirectory = index < way.length - 1 || path.endsWith(sep);
        if (ignored.has(name)) return true;
        if (isIgnored(rules, directory, name, isDirectory))
          return !isTracked(withoutEnd(path, sep), path.endsWith(sep));
        directory += (directory.endsWith(sep) ? "" : sep) + name;
        rules = rulesAt.get(directory) ?? rules;
      }
      return false;
    },
  };
}

/**
 * Whether a directory of skills is there, as far as a walk saw it.
 *
 * @param name of a directory with `/`, from a place that has its first directory
 */
export function seenIn({ directories, links }: WalkedRepository): (place: string, name: string) => boolean {
  const there = new Set([...directories, ...links]);
  const linked = new Set(links);
  // Below a link the walk saw nothing.
  return (place, name) => there.has(join(place, name)) || linked.has(join(place, name.split("/")[0] ?? ""));
}

const IGNORE_FILE = ".gitignore";

const MAX_IGNORE_BYTES = 1024 * 1024;

/**
 * The rules that a directory inherits: the repository's own excludes, and each ignore file further up. As in git, an
 * ignore file that is a link, too large or unreadable has no rules.
 *
 * @param root where ignore files begin to count outside a repository
 */
function rulesAbove(directory: string, root: string): IgnoreRules | undefined {
  const top = repositoryOf(directory) ?? root;
  let rules = readRules(join(commonDirectoryOf(gitDirectoryOf(top)), "info", "exclude"), top, undefined);
  for (const rung of ladder(top, directory).slice(0, -1)) rules = rulesIn(rung, rules);
  return rules;
}

/** The rules of a directory's own ignore file, added to the inherited ones. */
function rulesIn(directory: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
  return readRules(join(directory, IGNORE_FILE), directory, above);
}

/** The nearest directory upwards that contains a repository. */
function repositoryOf(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (isThere(join(directory, ".git"))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function readRules(path: string, base: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
  const read = readText(path, MAX_IGNORE_BYTES);
  return read.kind === "text" ? readIgnoreRules(base, read.text, above) : above;
}

const MODULES_FILE = ".gitmodules";

const MAX_BYTES = 256 * 1024;

const MAX_MODULES = 1_000;

const PATH = /^[ \t]*path[ \t]*=[ \t]*"?([^"\r\n]+)/gm;

/** The absolute paths of the submodules that are not checked out, in the repository that contains a directory. */
export function absentSubmodules(directory: string): string[] {
  const top = repositoryOf(directory) ?? directory;
  const read = readText(join(top, MODULES_FILE), MAX_BYTES);
  if (read.kind !== "text") return [];
  const paths = [...read.text.matchAll(PATH)]
    .slice(0, MAX_MODULES)
    .map(([, path = ""]) => resolve(top, path.trimEnd()));
  return paths.filter((path) => !isThere(join(path, ".git")));
}

/** Whether it is a link to what is not there, out of the repository: a place of one machine, or another checkout. */
export function danglesOutside(path: string, root: string): boolean {
  const [, target] = linkFollower()(path);
  return isLinked(path) && realPathOf(path) === undefined && target !== undefined && !isInside(root, target);
}

/** Whether a link leads into a submodule that is not checked out, where nothing is to be found now. */
export function leadsIntoAbsentSubmodule(root: string): (path: string) => boolean {
  let submodules: readonly string[] | undefined;
  const follow = linkFollower();
  return (path) => {
    submodules ??= absentSubmodules(root);
    return submodules.length > 0 && follow(path).some((name) => submodules?.some((place) => isInside(place, name)));
  };
}
