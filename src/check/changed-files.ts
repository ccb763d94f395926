import { join, resolve } from "node:path";
import type { World } from "../world.ts";
import { isPipe } from "../lib/git-repository.ts";
import { openReadingGit, type ReadingGit } from "../lib/git.ts";
import { walkRepository } from "./walk.ts";

export type ChangedFiles =
  | {
      readonly kind: "changed";
      readonly paths: ReadonlySet<string>;
      /** Whether the branch's target is known; otherwise the paths differ from the last commit. */
      readonly isBaseKnown: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Files that git reads automatically in any directory of a working tree. */
const GIT_FILES = [".gitignore", ".gitattributes", ".gitmodules"];
const REMOTES_BRANCH = "origin/HEAD";
const LAST_COMMIT = "HEAD";
/** Options that make the output independent of settings, with unquoted names. */
const PLAIN_DIFF = ["--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "-z"];

/**
 * The files that changed since a branch began, in commits, in the index and in the working tree, including new and
 * deleted ones. Their paths are canonical.
 *
 * @param directory canonical, in a repository
 * @param revision the branch's target; "" for the target of the CI job, else the remote's default branch, else the last
 *          commit
 */
export function changedFiles(world: World, directory: string, revision: string): ChangedFiles {
  const git = openReadingGit(world, directory);
  if ("kind" in git) return git;
  try {
    return changesIn(world, git, revision);
  } finally {
    git.close();
  }
}

/**
 * The files that differ between the last commit and the index, as canonical paths. In a git hook that is the index
 * which git is about to commit: `git commit --all` uses one of its own.
 *
 * @param directory canonical, in a repository
 */
export function stagedFiles(world: World, directory: string): ChangedFiles {
  const index = world.env["GIT_INDEX_FILE"];
  const git = openReadingGit(world, directory, index ? resolve(world.cwd(), index) : undefined);
  if ("kind" in git) return git;
  try {
    const diff = git.ask("-c", "diff.relative=false", "diff", "--cached", ...PLAIN_DIFF, "--");
    if (diff.kind === "refused") return diff;
    const names = diff.text.split("\0").filter((name) => name !== "");
    return { kind: "changed", paths: new Set(names.map((name) => join(git.top, name))), isBaseKnown: true };
  } finally {
    git.close();
  }
}

function changesIn(world: World, git: ReadingGit, revision: string): ChangedFiles {
  const pipe = pipeAmong(git.top, GIT_FILES);
  if (pipe !== undefined) {
    return { kind: "refused", reason: `'${pipe}' is a pipe or a device, and git would wait for it; remove it` };
  }
  const named = revision === "" ? usualBase(world, git) : revision;
  const base = mergeBase(git, named ?? LAST_COMMIT);
  if (base.kind === "refused") return base;
  // Older versions of git ignore the setting, but would reject the flag.
  const diff = git.ask("-c", "diff.relative=false", "diff", ...PLAIN_DIFF, base.text.trimEnd(), "--");
  const added = git.ask("ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/");
  for (const answer of [diff, added]) if (answer.kind === "refused") return answer;
  const names = [diff, added].flatMap((answer) => ("text" in answer ? answer.text.split("\0") : []));
  const paths = new Set(names.filter((name) => name !== "").map((name) => join(git.top, name)));
  return { kind: "changed", paths, isBaseKnown: named !== undefined };
}

/** On GitHub, the branch that a pull request targets. */
function usualBase({ env }: World, git: ReadingGit): string | undefined {
  const named = env["GITHUB_BASE_REF"];
  if (named) return `origin/${named}`;
  const own = git.ask("rev-parse", "--verify", "--quiet", `${REMOTES_BRANCH}^{commit}`);
  return own.kind === "answer" ? REMOTES_BRANCH : undefined;
}

function mergeBase(git: ReadingGit, revision: string): ReturnType<ReadingGit["ask"]> {
  const commit = revision.startsWith("-")
    ? ({ kind: "refused" } as const)
    : git.ask("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
  if (commit.kind === "refused")
    return { kind: "refused", reason: `'${revision}' is not a commit here; fetch it, or name another` };
  const base = git.ask("merge-base", commit.text.trimEnd(), "HEAD");
  if (base.kind === "answer") return base;
  return { kind: "refused", reason: `'${revision}' and HEAD have no commit in common here; fetch more of the history` };
}

/** A file with one of these names that git would block on. */
function pipeAmong(top: string, names: readonly string[]): string | undefined {
  const { found } = walkRepository(top, { names, ignored: new Set(), root: top });
  const paths = [...found].flatMap(([directory, present]) => present.map((name) => join(directory, name)));
  return paths.find(isPipe);
}
