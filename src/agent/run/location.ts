import type { Problem } from "../../command.ts";
import { textFlag, type FlagValues, usage } from "../../cli/args.ts";
import { openGit } from "../../lib/git.ts";
import { locateLedger, type LedgerLocation } from "../../ledger/location.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { ConfigurationError } from "../errors.ts";
import { fieldsFromFile, fieldsFromGh, resolveOrigin } from "../issue/origin.ts";
import { openIssueWorktree } from "../issue/worktree.ts";
import { instanceName } from "./store.ts";
import type { OpenDefinition } from "../definition/open.ts";

/** Where a run works, and where it is recorded. */
export interface RunLocation {
  readonly cwd: string;
  readonly location: LedgerLocation;
  readonly workPlace: LedgerLocation;
  readonly instance: string;
  readonly branch?: string;
  readonly issue?: number;
  release(): void;
  /** Leaves the location to a guided run, which continues after this process. */
  keep(): void;
}

/** The flags of a run in an issue's branch. */
export const ISSUE_ARGS = {
  issue: { type: "string", valueHint: "N", description: "work in a branch and worktree for this issue" },
  origin: { type: "string", valueHint: "BRANCH", description: "the branch to start the issue's branch from" },
  fields: {
    type: "string",
    valueHint: "FILE",
    description: "read the issue's fields from this JSON file instead of asking gh",
  },
} as const;

/**
 * @output the location; with `--issue` the worktree of that issue, which this process holds until it is released
 * @effect with `--issue`, creates a branch and a worktree if there are none
 * @error  usage; ConfigurationError without a branch to begin from; ExecutionError while another run has the branch
 */
export function openRunLocation(
  world: World,
  { cwd, root, userDirectories }: Workspace,
  { validated }: OpenDefinition,
  flags: FlagValues,
): RunLocation | Problem {
  const { definition } = validated;
  const location = locateLedger(root.directory, userDirectories, world.home);
  const issue = textFlag(flags["issue"]);
  const explicit = textFlag(flags["origin"]);
  const fields = textFlag(flags["fields"]);
  if (issue === undefined) {
    if (explicit !== undefined || fields !== undefined) return usage("'--origin' and '--fields' go with '--issue'");
    const instance = instanceName(world, definition.name);
    return { cwd, location, workPlace: location, instance, release: () => {}, keep: () => {} };
  }
  if (!/^[1-9]\d{0,8}$/.test(issue)) return usage(`'--issue ${issue}' is not an issue number`);
  const git = openGit(world, root.directory);
  if ("kind" in git) throw new ConfigurationError(`an issue's worktree can't be made: ${git.reason}`);
  try {
    const number = Number(issue);
    const source = fields === undefined ? fieldsFromGh(world, git, number) : fieldsFromFile(cwd, fields);
    const origin = resolveOrigin(git, { explicit, fields: source, config: definition.originBranch });
    const worktree = openIssueWorktree(world, git, userDirectories, number, origin);
    if (worktree.takenOver !== undefined) world.warn(`'${worktree.takenOver}' died; its branch is taken over`);
    return {
      cwd: worktree.directory,
      location,
      workPlace: locateLedger(worktree.directory, userDirectories, world.home),
      instance: worktree.instance,
      branch: worktree.branch,
      issue: number,
      release: worktree.release,
      keep: () => worktree.keep(location.directory),
    };
  } finally {
    git.close();
  }
}
