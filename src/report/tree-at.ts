import { basename, dirname, join, relative } from "node:path";
import { chooseChain, MAIN_NAMES, type Candidate } from "../instructions/chain.ts";
import { messageOf, openGit, type Git, type GitRefusal } from "../lib/git.ts";
import { realPathOf } from "../lib/path-facts.ts";
import { isInside, ladder, withoutIgnored } from "../lib/paths.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/** A longer file is no instruction file that a model was given whole. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The instruction files of a commit. */
export interface TreeAt {
  /** By path, as if they were in the present working tree. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files that applied in a directory, root first. */
  applyingIn(directory: string): readonly string[];
}

interface Entry {
  readonly id: string;
  readonly isLink: boolean;
  readonly sizeBytes: number;
}

/**
 * The project's instruction files as a commit has them. Imports are not followed.
 *
 * @effect processes of git, which run nothing of the clone
 */
export function readTreeAt(world: World, workspace: Workspace, revision: string): TreeAt | GitRefusal {
  const root = workspace.root.directory;
  const git = openGit(world, root);
  if ("kind" in git) return git;
  try {
    return treeIn(git, workspace, realPathOf(root) ?? root, revision);
  } finally {
    git.close();
  }
}

function treeIn(git: Git, workspace: Workspace, realRoot: string, revision: string): TreeAt | GitRefusal {
  const { fallbackFilenames, additionalFilenames, ignore } = workspace.settings.agents;
  const root = workspace.root.directory;
  const mainNames = [...MAIN_NAMES, ...fallbackFilenames];
  const names = new Set([...mainNames, ...additionalFilenames]);
  const commit = revision.startsWith("-")
    ? undefined
    : git.ask(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
  if (commit?.kind !== "ok") return { kind: "refused", reason: `'${revision}' is not a commit here` };
  const listed = git.ask(["ls-tree", "-r", "-z", "-l", "--full-tree", commit.stdout.trim()]);
  if (listed.kind !== "ok") return { kind: "refused", reason: messageOf(listed) };
  const place = (name: string) => join(root, relative(realRoot, join(git.top, name)));
  const entries = entriesIn(listed.stdout, place);
  const wanted = new Map<string, Entry>();
  for (const [path, entry] of entries) {
    if (names.has(basename(path)) && isInside(root, path)) wanted.set(path, entry);
  }
  const links = textsOf(git, new Map([...wanted].filter(([, { isLink }]) => isLink)));
  /** The file that has the text: for a link, its target. */
  const targetOf = (path: string): string => {
    const link = links.get(path);
    return link === undefined ? path : join(dirname(path), link);
  };
  const files = new Map([...wanted.keys()].map((path) => [path, targetOf(path)]));
  const sources = new Map<string, Entry>();
  for (const source of files.values()) {
    const entry = entries.get(source);
    if (entry !== undefined && !entry.isLink && entry.sizeBytes <= MAX_FILE_BYTES) sources.set(source, entry);
  }
  const contents = textsOf(git, sources);
  const texts = new Map<string, string>();
  for (const [path, source] of files) {
    const text = contents.get(source);
    if (text !== undefined) texts.set(path, text);
  }
  const candidates = (directory: string, tried: readonly string[]) =>
    tried.flatMap((name) => candidateAt(join(directory, name), files, sources));
  return {
    texts,
    applyingIn(directory) {
      if (!isInside(root, directory)) return [];
      const rungs = withoutIgnored(ladder(root, directory), ignore).map((each) => ({
        directory: each,
        main: candidates(each, mainNames),
        additional: candidates(each, additionalFilenames),
      }));
      return chooseChain(rungs).files.map(({ path }) => path);
    },
  };
}

function candidateAt(
  path: string,
  files: ReadonlyMap<string, string>,
  sources: ReadonlyMap<string, Entry>,
): Candidate[] {
  const source = files.get(path);
  if (source === undefined) return [];
  const entry = sources.get(source);
  if (entry === undefined) return [{ path, found: { kind: "unusable", reason: "dangling-link" } }];
  const version = { mtimeMs: 0, sizeBytes: entry.sizeBytes };
  return [{ path, found: { kind: "file", version, identity: source, realPath: source } }];
}

/** `100644 blob ID    SIZE\tNAME`, each ended by a NUL. */
function entriesIn(listing: string, place: (name: string) => string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const line of listing.split("\0")) {
    const tab = line.indexOf("\t");
    const [mode = "", type, id = "", size] = line.slice(0, tab).split(/ +/);
    if (type !== "blob") continue;
    entries.set(place(line.slice(tab + 1)), { id, isLink: mode === "120000", sizeBytes: Number(size) });
  }
  return entries;
}

/** The texts of many files by one process. */
function textsOf(git: Git, entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const ids = [...new Set(Array.from(entries.values(), ({ id }) => id))];
  if (ids.length === 0) return texts;
  const answer = git.ask(["cat-file", "--batch"], { stdin: `${ids.join("\n")}\n` });
  if (answer.kind !== "ok") return texts;
  const byId = new Map<string, string>();
  const { stdout } = answer;
  // Each text follows a line with its id. The size there is that of the bytes, which may not be valid UTF-8.
  let at = 0;
  for (const [index, id] of ids.entries()) {
    const from = stdout.indexOf("\n", at) + 1;
    // A clone may lack an object.
    if (!stdout.startsWith(`${id} blob `, at)) {
      at = from;
      continue;
    }
    const next = ids[index + 1];
    const end = next === undefined ? stdout.length - 1 : stdout.indexOf(`\n${next} `, from);
    byId.set(id, stdout.slice(from, end));
    at = end + 1;
  }
  for (const [path, { id }] of entries) {
    const text = byId.get(id);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}
