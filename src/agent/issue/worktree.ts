import { basename, dirname, join, resolve } from "node:path";
import type { UserDirectories } from "../../config/user-directories.ts";
import { disk } from "../../lib/fs.ts";
import { excludeFromStatus } from "../../lib/git-repository.ts";
import {
  checkoutFilters,
  filterSettings,
  hasConfigEach,
  readSettings,
  sparseSettings,
  WORKTREES,
  writeConfig,
} from "../../lib/git-stand-in.ts";
import { messageOf, type Git, type GitAnswer } from "../../lib/git.ts";
import { isThere, namesIn, isLinked, isTaken, realPathOf } from "../../lib/path-facts.ts";
import { isInside } from "../../lib/paths.ts";
import { readText } from "../../lib/read-file.ts";
import { writeWhole } from "../../lib/write-file.ts";
import { areFiltersTrusted } from "../../trust/filters.ts";
import type { World } from "../../world.ts";
import { ConfigurationError, ExecutionError } from "../errors.ts";
import { instanceName } from "../run/store.ts";
import { claimBranch } from "./claim.ts";
import type { OriginBranch } from "./origin.ts";

interface IssueWorktree {
  readonly branch: string;
  /** Where to work: absolute. */
  readonly directory: string;
  readonly instance: string;
  /** The instance that died and whose work this continues. */
  readonly takenOver: string | undefined;
  /** Lets another instance begin; the worktree and the branch stay. May be called again. */
  release(): void;
  /** Leaves the branch to a guided run, whose record is in a directory. */
  keep(directory: string): void;
}

const DIRECTORY = ".worktrees";

/** Long enough for a large repository with filters. */
const CHECKOUT_MS = 600_000;

const MAX_POINTER_BYTES = 4096;

/**
 * One issue, one branch, one worktree, one instance: creates what does not exist yet.
 *
 * @input  origin: where the branch begins, if it has to be created
 * @output where to work, claimed for this process
 * @effect `feature/issue-N`, `.worktrees/issue-N/` in the main worktree, a claim, a line in `.git/info/exclude`
 * @error  ExecutionError while a live instance has the branch, or if git refuses; ConfigurationError for an invalid
 *          number, a clone without a worktree, and filters of the clone that are not trusted
 */
export function openIssueWorktree(
  world: World,
  git: Git,
  userDirectories: UserDirectories,
  issue: number,
  origin: OriginBranch,
): IssueWorktree {
  if (!Number.isSafeInteger(issue) || issue < 1) {
    throw new ConfigurationError(`issue '${issue}' is not an issue number`);
  }
  const main = mainTree(git);
  assertNoLinks(git);
  const worktrees = listWorktrees(git, main);
  const branch = `feature/issue-${issue}`;
  const instance = instanceName(world, `issue-${issue}`);
  const directory = join(main, DIRECTORY, `issue-${issue}`);
  const { takenOver, release, keep } = claimBranch(world, join(git.commonDirectory, "codelia"), branch, instance);
  try {
    excludeFromStatus(world, git, { tree: main, pattern: `/${DIRECTORY}/` });
    ensureWorktree(world, git, userDirectories, worktrees, { branch, directory, origin });
  } catch (error) {
    release();
    throw error;
  }
  return { branch, directory, instance, takenOver, release, keep };
}

/**
 * The main working tree. In a linked one and in a submodule, `.git` is a file that points elsewhere, and a clone may
 * contain one that points anywhere. So the other end must point back, or another repository would be changed.
 */
function mainTree({ top, gitDirectory, commonDirectory, settings }: Git): string {
  const own = join(top, ".git");
  const isLinkedTree = gitDirectory !== commonDirectory;
  if (!isLinkedTree && gitDirectory === own) return top;
  const back = isLinkedTree
    ? textOf(join(gitDirectory, "gitdir"))
    : settings.find(({ key }) => key === "core.worktree")?.value;
  const named = back === undefined ? undefined : realPathOf(resolve(gitDirectory, back));
  const isKnown = !isLinkedTree || dirname(gitDirectory) === join(commonDirectory, WORKTREES);
  if (!isKnown || named !== (isLinkedTree ? own : top)) {
    throw new ConfigurationError(
      `an issue's worktree can't be made: '${own}' points to '${commonDirectory}', which does not point back`,
    );
  }
  return isLinkedTree && basename(commonDirectory) === ".git" ? dirname(commonDirectory) : top;
}

/** In a clone, any directory that git or we write to may be a link. */
function assertNoLinks({ commonDirectory }: Git): void {
  const written = ["codelia", "info", WORKTREES, "refs", "refs/heads", "refs/heads/feature"];
  const linked = written.map((name) => join(commonDirectory, name)).find(isLinked);
  if (linked === undefined) return;
  throw new ConfigurationError(
    `an issue's worktree can't be made: '${linked}' is a link, which may lead out of the clone`,
  );
}

/** The main worktree first, under its real path: git reports the directory that stands in for it. */
function listWorktrees(git: Git, main: string): readonly Worktree[] {
  const [first, ...others] = parseWorktrees(
    output(git.ask(["worktree", "list", "--porcelain", "-z"]), "find the clone"),
  );
  if (first !== undefined && !first.isBare) return [{ ...first, path: main }, ...others];
  throw new ConfigurationError("an issue's worktree can't be made: the repository has no worktree to put it in");
}

interface IssueBranch {
  readonly branch: string;
  readonly directory: string;
  readonly origin: OriginBranch;
}

function ensureWorktree(
  world: World,
  git: Git,
  userDirectories: UserDirectories,
  worktrees: readonly Worktree[],
  { branch, directory, origin }: IssueBranch,
): void {
  const elsewhere = worktrees.find((tree) => tree.branch === branch && tree.path !== directory && !tree.isPrunable);
  if (elsewhere !== undefined) {
    throw refusal(`branch '${branch}' is already checked out in '${elsewhere.path}': switch that to another branch`);
  }
  const there = worktrees.find((tree) => tree.path === directory && !tree.isPrunable);
  if (there !== undefined) {
    if (there.branch === branch) return void pointBack(world, git, directory);
    const has = there.branch === undefined ? "no branch" : `branch '${there.branch}'`;
    throw refusal(`worktree '${directory}' has ${has} checked out, not '${branch}': switch it back or remove it`);
  }
  // A link in the clone could lead out of it.
  const isLink = isLinked(dirname(directory));
  if (isLink || isTaken(directory)) {
    const where = isLink ? `'${DIRECTORY}' is a link` : "something else is in its place";
    throw refusal(`worktree '${directory}' can't be made: ${where}; move it away`);
  }
  disk.makeDirectory(join(git.commonDirectory, WORKTREES));
  // Without --force, git refuses if a worktree of the same name has vanished.
  const add = ["worktree", "add", "--quiet", "--force"];
  const exists = git.ask(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).kind === "ok";
  allowFilters(git, userDirectories, dirname(dirname(directory)), exists ? `refs/heads/${branch}` : origin.ref);
  const words = exists ? [directory, branch] : ["--no-track", "-b", branch, directory, origin.ref];
  const what = `make worktree '${directory}'`;
  output(
    git.ask([...add, ...words], { timeoutMs: CHECKOUT_MS }),
    what,
    "if your own git can, make it with 'git worktree add'",
  );
  keepSparse(world, git, pointBack(world, git, directory));
}

/**
 * Points the worktree to the clone instead of the directory that stood in for it when git created the worktree.
 *
 * @output git's directory for this worktree; undefined if there is none
 */
function pointBack(world: World, { commonDirectory, standIn }: Git, directory: string): string | undefined {
  const pointer = join(directory, ".git");
  const known = join(commonDirectory, WORKTREES);
  const name = namesIn(known).find((candidate) => textOf(join(known, candidate, "gitdir")) === pointer);
  if (name === undefined) return undefined;
  const target = textOf(pointer)?.replace(/^gitdir: /, "") ?? "";
  const isRight = isThere(resolve(directory, target)) && !isInside(standIn, target);
  if (!isRight) writeWhole(world, pointer, `gitdir: ${join(known, name)}\n`);
  return join(known, name);
}

/** Makes the worktree as sparse as the clone. git would copy a config to do this. */
function keepSparse(world: World, { settings }: Git, own: string | undefined): void {
  const sparse = hasConfigEach(settings) ? sparseSettings(settings) : [];
  if (own !== undefined && sparse.length > 0) writeWhole(world, join(own, "config.worktree"), writeConfig(sparse));
}

function textOf(path: string): string | undefined {
  const read = readText(path, MAX_POINTER_BYTES);
  return read.kind === "text" ? read.text.replace(/\n$/, "") : undefined;
}

function output(answer: GitAnswer, what: string, way = ""): string {
  if (answer.kind === "ok") return answer.stdout.replace(/\n$/, "");
  throw refusal(`git can't ${what}: ${messageOf(answer)}${way && `; ${way}`}`);
}

function refusal(message: string): ExecutionError {
  return new ExecutionError(message);
}

interface Worktree {
  readonly path: string;
  /** Without `refs/heads/`; undefined if none is checked out. */
  readonly branch: string | undefined;
  /** Its directory is gone. */
  readonly isPrunable: boolean;
  readonly isBare: boolean;
}

/** The output of `git worktree list --porcelain -z`; the main worktree comes first. */
export function parseWorktrees(text: string): readonly Worktree[] {
  return text.split("\0\0").flatMap((entry) => {
    const lines = entry.split("\0").filter((line) => line !== "");
    const valueOf = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = valueOf("worktree");
    if (path === undefined) return [];
    const isPrunable = lines.some((line) => line === "prunable" || line.startsWith("prunable "));
    const branch = valueOf("branch")?.replace(/^refs\/heads\//, "");
    return { path, branch, isPrunable, isBare: lines.includes("bare") };
  });
}

/**
 * Enables the filters of the clone's own git config for a checkout, if the user trusts them. Filters of the user's own
 * config are always enabled, and win over the clone's of the same name.
 *
 * @input  tree: the main working tree; revision: what is checked out
 * @error  ConfigurationError if a file needs a filter that is not trusted
 */
function allowFilters(git: Git, userDirectories: UserDirectories, tree: string, revision: string): void {
  const settings = filterSettings(git.settings);
  const own = checkoutFilters(ownSettings(git));
  const theirs = [...checkoutFilters(settings)].filter((name) => !own.has(name));
  if (theirs.length === 0) return;
  const needing = fileNeeding(git, revision, theirs);
  if (needing === undefined) return;
  const { file, filter } = needing;
  const allowed = settings.filter(({ key }) => theirs.some((name) => key.startsWith(`filter.${name}.`)));
  if (areFiltersTrusted(userDirectories, tree, settings)) return git.allow(allowed);
  throw new ConfigurationError(
    `an issue's worktree can't be made: '${file}' needs filter '${filter}' of the clone's own git config, which you have not trusted as it is now; run 'codelia trust ${tree}' to review it`,
  );
}

/** Filters of the user's own config: those of the clone are not enabled yet. */
function ownSettings(git: Git): ReturnType<typeof readSettings> {
  const answer = git.ask(["config", "--null", "--get-regexp", String.raw`^filter\.`]);
  return answer.kind === "ok" ? readSettings(answer.stdout) : [];
}

const FIND_FILTERS = "find out which filters the worktree needs";

function fileNeeding(
  git: Git,
  revision: string,
  filters: readonly string[],
): { readonly file: string; readonly filter: string } | undefined {
  const index = join(git.standIn, "index");
  output(git.ask(["read-tree", revision], { index }), FIND_FILTERS);
  const files = output(git.ask(["ls-files", "--cached", "-z"], { index }), FIND_FILTERS);
  const words = ["check-attr", "--cached", "-z", "--stdin", "filter"];
  const attributes = output(git.ask(words, { index, stdin: files }), FIND_FILTERS).split("\0");
  // Three entries for each file: path, attribute, value.
  const at = attributes.findIndex((value, place) => place % 3 === 2 && filters.includes(value));
  return at < 0 ? undefined : { file: attributes[at - 2] ?? "", filter: attributes[at] ?? "" };
}
