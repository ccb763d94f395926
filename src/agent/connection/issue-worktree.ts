import { dirname, join } from "node:path";
import type { Git, GitAnswer } from "../../io/git.ts";
import { excludeFromStatus } from "../../io/git-exclude.ts";
import { isLinked, isTaken } from "../../io/same-place.ts";
import type { World } from "../../world.ts";
import { ConfigurationError, ExecutionError } from "../errors.ts";
import { claimBranch } from "./issue-claim.ts";
import type { OriginBranch } from "./origin-branch.ts";
import { parseWorktrees, type Worktree } from "./worktree-list.ts";

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

/**
 * One issue, one branch, one worktree, one instance: makes what of it is not there yet.
 *
 * @input  git: of a clone; origin: where the branch begins, if it has to be made
 * @output where to work, claimed for this process
 * @effect `feature/issue-N`, `.worktrees/issue-N/` in the main worktree, a claim, a line in `.git/info/exclude`
 * @error  ExecutionError while a live instance has the branch, or where git says no; ConfigurationError for what is no
 *         issue's number and for a clone without a worktree
 */
export function openIssueWorktree(world: World, git: Git, issue: number, origin: OriginBranch): IssueWorktree {
  if (!Number.isSafeInteger(issue) || issue < 1) {
    throw new ConfigurationError(`issue '${issue}' can't be worked on: it must be a number from 1 on`);
  }
  const [main, ...others] = listWorktrees(git);
  const commonDirectory = output(
    git.ask(["rev-parse", "--path-format=absolute", "--git-common-dir"]),
    "find the clone",
  );
  const branch = `feature/issue-${issue}`;
  const instance = `agent-issue-${issue}-${timestamp(world)}`;
  const directory = join(main.path, DIRECTORY, `issue-${issue}`);
  const { takenOver, release } = claimBranch(world, join(commonDirectory, "codelia"), branch, instance);
  try {
    excludeFromStatus(world, git, { tree: main.path, commonDirectory, pattern: `/${DIRECTORY}/` });
    ensureWorktree(git, [main, ...others], { branch, directory, origin });
  } catch (error) {
    release();
    throw error;
  }
  return { branch, directory, instance, takenOver, release };
}

function listWorktrees(git: Git): readonly [Worktree, ...Worktree[]] {
  const [main, ...others] = parseWorktrees(
    output(git.ask(["worktree", "list", "--porcelain", "-z"]), "find the clone"),
  );
  if (main !== undefined && !main.isBare) return [main, ...others];
  throw new ConfigurationError(
    "an issue's worktree can't be made: the repository has no worktree of its own to put it in",
  );
}

interface Wanted {
  readonly branch: string;
  readonly directory: string;
  readonly origin: OriginBranch;
}

function ensureWorktree(git: Git, worktrees: readonly Worktree[], { branch, directory, origin }: Wanted): void {
  const elsewhere = worktrees.find((tree) => tree.branch === branch && tree.path !== directory && !tree.isPrunable);
  if (elsewhere !== undefined) {
    throw refusal(`branch '${branch}' is checked out in '${elsewhere.path}' already: switch that to another branch`);
  }
  const there = worktrees.find((tree) => tree.path === directory && !tree.isPrunable);
  if (there !== undefined) {
    if (there.branch === branch) return;
    const has = there.branch === undefined ? "no branch" : `branch '${there.branch}'`;
    throw refusal(`worktree '${directory}' has ${has} checked out, not '${branch}': switch it back or remove it`);
  }
  // A link that the clone has brought along would lead out of it.
  const isLink = isLinked(dirname(directory));
  if (isLink || isTaken(directory)) {
    const where = isLink ? `'${DIRECTORY}' is a link` : "something else stands there";
    throw refusal(`worktree '${directory}' can't be made: ${where}; move it away`);
  }
  // What a vanished worktree of the same name has left in git's books is in the way only of those who don't insist.
  const add = ["worktree", "add", "--quiet", "--force"];
  const exists = git.ask(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).kind === "ok";
  const words = exists ? [directory, branch] : ["--no-track", "-b", branch, directory, origin.ref];
  output(git.ask([...add, ...words]), `make worktree '${directory}'`);
}

function output(answer: GitAnswer, what: string): string {
  if (answer.kind === "ok") return answer.stdout.replace(/\n$/, "");
  throw refusal(`git can't ${what}: ${answer.kind === "failed" ? answer.reason : answer.stderr}`);
}

function refusal(message: string): ExecutionError {
  return new ExecutionError(message, { recoverable: false });
}

/** Of the start, to the millisecond: 20261118T170542123Z. */
function timestamp(world: World): string {
  return new Date(world.now()).toISOString().replaceAll(/[-:.]/g, "");
}
