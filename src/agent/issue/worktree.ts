import { basename, dirname, join, resolve } from "node:path";
import type { UserPlaces } from "../../config/user-places.ts";
import { disk } from "../../lib/fs.ts";
import { excludeFromStatus } from "../../lib/git-repository.ts";
import { hasConfigEach, sparseSettings, writeConfig, WORKTREES } from "../../lib/git-stand-in.ts";
import { saidBy, type Git, type GitAnswer } from "../../lib/git.ts";
import { judgeHolder, parseHolder, acquireLock, describeSelf, sight } from "../../lib/lock.ts";
import { isThere, namesIn, isLinked, isTaken, realPathOf } from "../../lib/path-facts.ts";
import { isInside } from "../../lib/paths.ts";
import { readText } from "../../lib/read-file.ts";
import { writeWhole, removeQuietly } from "../../lib/write-file.ts";
import type { World } from "../../world.ts";
import { asString, parseEvent } from "../engines/answers.ts";
import { ConfigurationError, ExecutionError } from "../errors.ts";
import type { IssueFieldsSource } from "./fields.ts";
import { allowFilters } from "./filters.ts";

export interface IssueWorktree {
  readonly branch: string;
  /** Where the work is done: absolute. */
  readonly directory: string;
  readonly instance: string;
  /** The instance whose work this goes on with, where one has died at it. */
  readonly takenOver: string | undefined;
  /** Lets another instance begin; the worktree and the branch stay. Safe to call again. */
  release(): void;
}

const DIRECTORY = ".worktrees";

/** For all files of a large repository, and the user's own filters. */
const CHECKOUT_MS = 600_000;

const MAX_POINTER_BYTES = 4096;

/**
 * One issue, one branch, one worktree, one instance: makes what of it is not there yet.
 *
 * @input  git: of a clone; origin: where the branch begins, if it has to be made
 * @output where to work, claimed for this process
 * @effect `feature/issue-N`, `.worktrees/issue-N/` in the main worktree, a claim, a line in `.git/info/exclude`
 * @error  ExecutionError while a live instance has the branch, or where git says no; ConfigurationError for what is no
 *         issue's number, for a clone without a worktree and for filters of its own that are not trusted
 */
export function openIssueWorktree(
  world: World,
  git: Git,
  places: UserPlaces,
  issue: number,
  origin: OriginBranch,
): IssueWorktree {
  if (!Number.isSafeInteger(issue) || issue < 1) {
    throw new ConfigurationError(`issue '${issue}' can't be worked on: it must be a number from 1 on`);
  }
  const main = mainTree(git);
  assertNoLinks(git);
  const worktrees = listWorktrees(git, main);
  const branch = `feature/issue-${issue}`;
  const instance = `agent-issue-${issue}-${timestamp(world)}`;
  const directory = join(main, DIRECTORY, `issue-${issue}`);
  const { takenOver, release } = claimBranch(world, join(git.commonDirectory, "codelia"), branch, instance);
  try {
    excludeFromStatus(world, git, { tree: main, pattern: `/${DIRECTORY}/` });
    ensureWorktree(world, git, places, worktrees, { branch, directory, origin });
  } catch (error) {
    release();
    throw error;
  }
  return { branch, directory, instance, takenOver, release };
}

/**
 * The main working tree. Of a linked one, and of a submodule, `.git` is a file that leads elsewhere, and a clone may
 * bring along one that leads anywhere: the other end has to lead back, or somebody else's repository would be changed.
 */
function mainTree({ top, gitDirectory, commonDirectory, settings }: Git): string {
  const own = join(top, ".git");
  const isOneOfMany = gitDirectory !== commonDirectory;
  if (!isOneOfMany && gitDirectory === own) return top;
  const back = isOneOfMany ? textOf(join(gitDirectory, "gitdir")) : settings.find(isWorktreeSetting)?.value;
  const named = back === undefined ? undefined : realPathOf(resolve(gitDirectory, back));
  const isKnown = !isOneOfMany || dirname(gitDirectory) === join(commonDirectory, WORKTREES);
  if (!isKnown || named !== (isOneOfMany ? own : top)) {
    throw new ConfigurationError(
      `an issue's worktree can't be made: '${own}' leads to '${commonDirectory}', which does not lead back`,
    );
  }
  return isOneOfMany && basename(commonDirectory) === ".git" ? dirname(commonDirectory) : top;
}

/** Where git, or we, make files: a clone may have brought a link along in the place of each. */
function assertNoLinks({ commonDirectory }: Git): void {
  const written = ["codelia", "info", WORKTREES, "refs", "refs/heads", "refs/heads/feature"];
  const linked = written.map((name) => join(commonDirectory, name)).find(isLinked);
  if (linked === undefined) return;
  throw new ConfigurationError(
    `an issue's worktree can't be made: '${linked}' is a link, and would lead out of the clone`,
  );
}

function isWorktreeSetting({ key }: { readonly key: string }): boolean {
  return key === "core.worktree";
}

/** The main one first, under the name that it has for us: git goes by the directory that stands in for its own. */
function listWorktrees(git: Git, main: string): readonly Worktree[] {
  const [first, ...others] = parseWorktrees(
    output(git.ask(["worktree", "list", "--porcelain", "-z"]), "find the clone"),
  );
  if (first !== undefined && !first.isBare) return [{ ...first, path: main }, ...others];
  throw new ConfigurationError(
    "an issue's worktree can't be made: the repository has no worktree of its own to put it in",
  );
}

interface Wanted {
  readonly branch: string;
  readonly directory: string;
  readonly origin: OriginBranch;
}

function ensureWorktree(
  world: World,
  git: Git,
  places: UserPlaces,
  worktrees: readonly Worktree[],
  { branch, directory, origin }: Wanted,
): void {
  const elsewhere = worktrees.find((tree) => tree.branch === branch && tree.path !== directory && !tree.isPrunable);
  if (elsewhere !== undefined) {
    throw refusal(`branch '${branch}' is checked out in '${elsewhere.path}' already: switch that to another branch`);
  }
  const there = worktrees.find((tree) => tree.path === directory && !tree.isPrunable);
  if (there !== undefined) {
    if (there.branch === branch) return void leadBack(world, git, directory);
    const has = there.branch === undefined ? "no branch" : `branch '${there.branch}'`;
    throw refusal(`worktree '${directory}' has ${has} checked out, not '${branch}': switch it back or remove it`);
  }
  // A link that the clone has brought along would lead out of it.
  const isLink = isLinked(dirname(directory));
  if (isLink || isTaken(directory)) {
    const where = isLink ? `'${DIRECTORY}' is a link` : "something else stands there";
    throw refusal(`worktree '${directory}' can't be made: ${where}; move it away`);
  }
  disk.makeDirectory(join(git.commonDirectory, WORKTREES));
  // What a vanished worktree of the same name has left in git's books is in the way only of those who don't insist.
  const add = ["worktree", "add", "--quiet", "--force"];
  const exists = git.ask(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).kind === "ok";
  allowFilters(git, places, dirname(dirname(directory)), exists ? `refs/heads/${branch}` : origin.ref);
  const words = exists ? [directory, branch] : ["--no-track", "-b", branch, directory, origin.ref];
  const what = `make worktree '${directory}'`;
  output(
    git.ask([...add, ...words], { timeoutMs: CHECKOUT_MS }),
    what,
    "if your own git can, make it with 'git worktree add'",
  );
  keepSparse(world, git, leadBack(world, git, directory));
}

/**
 * Has the worktree lead to the clone, and not to what stood in for its directory when git made it.
 *
 * @output what git keeps of this worktree; undefined where it knows of none
 */
function leadBack(world: World, { commonDirectory, standIn }: Git, directory: string): string | undefined {
  const pointer = join(directory, ".git");
  const known = join(commonDirectory, WORKTREES);
  const name = namesIn(known).find((candidate) => textOf(join(known, candidate, "gitdir")) === pointer);
  if (name === undefined) return undefined;
  const target = textOf(pointer)?.replace(/^gitdir: /, "") ?? "";
  const isRight = isThere(resolve(directory, target)) && !isInside(standIn, target);
  if (!isRight) writeWhole(world, pointer, `gitdir: ${join(known, name)}\n`);
  return join(known, name);
}

/** The worktree is as sparse as the one it was made from. git would write that down by copying a config. */
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
  throw refusal(`git can't ${what}: ${saidBy(answer)}${way && `; ${way}`}`);
}

function refusal(message: string): ExecutionError {
  return new ExecutionError(message, { recoverable: false });
}

/** Of the start, to the millisecond: 20261118T170542123Z. */
function timestamp(world: World): string {
  return new Date(world.now()).toISOString().replaceAll(/[-:.]/g, "");
}

/** The right of one process to work on a branch. */
export interface IssueClaim {
  /** The instance that had it and has died. */
  readonly takenOver: string | undefined;
  /** Gives it back; safe to call again. */
  release(): void;
}

const MAX_BYTES = 4096;

const LOCK_WAIT_MS = 1000;

/**
 * @input  directory: of the repository's own, which all its worktrees share
 * @output the claim; it also ends with this process
 * @effect a file that names this process and its instance
 * @error  ExecutionError, not recoverable, while another process that lives has it, or may: one of another container
 *         can't be seen from here
 */
export function claimBranch(world: World, directory: string, branch: string, instance: string): IssueClaim {
  const path = join(directory, `${branch.replaceAll("/", "-")}.json`);
  const self = describeSelf(world);
  makeQuietly(directory);
  const attempt = underLock(world, `${path}.lock`, () => {
    const holder = readClaim(path);
    if (holder !== undefined && isHeld(world, holder.text)) return { kind: "held", by: holder.instance } as const;
    const written = writeWhole(world, path, JSON.stringify({ ...self, instance }));
    return written.kind === "written" ? ({ kind: "ours", before: holder?.instance } as const) : written;
  });
  switch (attempt.kind) {
    case "held": {
      const message = `branch '${branch}' is worked on by '${attempt.by}': wait for it or stop it; if it is gone for sure, remove '${path}'`;
      throw new ExecutionError(message, { recoverable: false, details: { branch, instance: attempt.by } });
    }
    case "failed": {
      const message = `branch '${branch}' can't be claimed: '${path}' can't be written (${attempt.errno})`;
      throw new ExecutionError(message, { recoverable: false, details: { branch } });
    }
    case "ours":
      return {
        takenOver: attempt.before,
        release: () => {
          underLock(world, `${path}.lock`, () => {
            const holder = readClaim(path);
            if (holder !== undefined && parseHolder(holder.text)?.nonce === self.nonce) removeQuietly(path);
            return { kind: "ours" };
          });
        },
      };
  }
}

/** Where it can't be made, the lock in it can't be had, and says why. */
function makeQuietly(directory: string): void {
  try {
    disk.makeDirectory(directory);
  } catch {
    // as above
  }
}

function underLock<Value>(world: World, path: string, act: () => Value): Value | { kind: "failed"; errno: string } {
  const attempt = acquireLock(world, { path, waitMs: LOCK_WAIT_MS });
  if (attempt.kind !== "locked") return { kind: "failed", errno: attempt.kind === "failed" ? attempt.reason : "EBUSY" };
  let value: Value | undefined;
  const isDone = attempt.lock.finish(() => void (value = act()));
  return isDone ? (value as Value) : { kind: "failed", errno: "its lock was lost" };
}

function readClaim(path: string): { readonly text: string; readonly instance: string } | undefined {
  const read = readText(path, MAX_BYTES);
  if (read.kind !== "text") return undefined;
  return { text: read.text, instance: asString(parseEvent(read.text)?.["instance"]) ?? "an unnamed instance" };
}

/** A claim that can't be read is one that was never made whole: it is written in one piece. */
function isHeld(world: World, text: string): boolean {
  const holder = parseHolder(text);
  return holder !== undefined && judgeHolder(holder, describeSelf(world), sight(world, holder.pid)) !== "gone";
}

export interface Worktree {
  readonly path: string;
  /** Without `refs/heads/`; undefined where none is checked out. */
  readonly branch: string | undefined;
  /** Its directory is gone. */
  readonly isPrunable: boolean;
  readonly isBare: boolean;
}

/** What `git worktree list --porcelain -z` says; the first is the main one. */
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

export interface OriginBranch {
  readonly branch: string;
  readonly source: "explicit" | "issue_field" | "project_field" | "config";
  /** What the branch is at: one of this clone before one that only its remote has. */
  readonly ref: string;
}

export interface OriginWishes {
  /** Of `--origin`. */
  readonly explicit: string | undefined;
  readonly fields: IssueFieldsSource;
  /** Of the definition's `originBranch`. */
  readonly config: string | undefined;
}

/**
 * The branch that the work begins from: what was said, then the issue's field, then the project's, then the
 * definition's. Nothing is assumed.
 *
 * @effect asks git, and for the fields that are needed
 * @error  ConfigurationError where none of them names a branch, or one names a branch that is not there; ExecutionError
 *         where a field can't be read
 */
export function resolveOrigin(git: Pick<Git, "ask">, { explicit, fields, config }: OriginWishes): OriginBranch {
  const sources = [
    ["explicit", () => explicit],
    ["issue_field", () => fields.baseBranch()],
    ["project_field", () => fields.targetBranch()],
    ["config", () => config],
  ] as const;
  for (const [source, read] of sources) {
    const branch = read()?.trim() ?? "";
    if (branch !== "") return { branch, source, ref: refOf(git, branch, source) };
  }
  throw new ConfigurationError(
    "no branch to begin from is named: use --origin, the issue's field 'base_branch', the project's field 'Target Branch' or 'originBranch' in agent.json",
  );
}

function refOf(git: Pick<Git, "ask">, branch: string, source: OriginBranch["source"]): string {
  const found = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`].find(
    (ref) => git.ask(["check-ref-format", ref]).kind === "ok" && branchExists(git, ref, branch),
  );
  if (found !== undefined) return found;
  const message = `branch '${branch}' to begin from does not exist (named by ${SAID_BY[source]}): make it, fetch it or name another with --origin`;
  throw new ConfigurationError(message, { branch, source });
}

/** Of a branch that is not there git says nothing; what it does say is about all of the repository. */
function branchExists(git: Pick<Git, "ask">, ref: string, branch: string): boolean {
  const answer = git.ask(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (answer.kind === "ok") return true;
  if (answer.kind === "refused" && answer.stderr === "") return false;
  const [said] = (answer.kind === "failed" ? answer.reason : answer.stderr).split("\n");
  throw new ConfigurationError(`branch '${branch}' to begin from can't be looked up: git says '${said}'`, { branch });
}

const SAID_BY: Readonly<Record<OriginBranch["source"], string>> = {
  explicit: "--origin",
  issue_field: "the issue's field 'base_branch'",
  project_field: "the project's field 'Target Branch'",
  config: "'originBranch' in agent.json",
};
