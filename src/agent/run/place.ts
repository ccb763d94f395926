import type { Problem } from "../../command.ts";
import { textFlag, type FlagValues, usage } from "../../cli/args.ts";
import { openGit } from "../../lib/git.ts";
import { findStatePlace, type StatePlace } from "../../ledger/place.ts";
import type { Workspace } from "../../workspace.ts";
import type { World } from "../../world.ts";
import { ConfigurationError } from "../errors.ts";
import { fieldsFromFile, fieldsFromGh, resolveOrigin } from "../issue/origin.ts";
import { openIssueWorktree } from "../issue/worktree.ts";
import { instanceName } from "./store.ts";
import type { OpenDefinition } from "../definition/open.ts";

/** Where a run works, and where it is recorded. */
export interface RunPlace {
  readonly cwd: string;
  readonly place: StatePlace;
  readonly workPlace: StatePlace;
  readonly instance: string;
  readonly branch?: string;
  readonly issue?: number;
  release(): void;
}

/**
 * @output the place; with `--issue` the worktree of that issue, which this process holds until it is released
 * @effect with `--issue`, a branch and a worktree where there are none
 * @error  usage; ConfigurationError without a branch to begin from; ExecutionError while another run has the branch
 */
export function openRunPlace(
  world: World,
  { cwd, root, places }: Workspace,
  { validated }: OpenDefinition,
  flags: FlagValues,
): RunPlace | Problem {
  const { definition } = validated;
  const place = findStatePlace(root.directory, places, world.home);
  const issue = textFlag(flags["issue"]);
  const explicit = textFlag(flags["origin"]);
  const fields = textFlag(flags["fields"]);
  if (issue === undefined) {
    if (explicit !== undefined || fields !== undefined) return usage("'--origin' and '--fields' go with '--issue'");
    return { cwd, place, workPlace: place, instance: instanceName(world, definition.name), release: () => {} };
  }
  if (!/^[1-9]\d{0,8}$/.test(issue)) return usage(`'--issue ${issue}' is not an issue number`);
  const git = openGit(world, root.directory);
  if ("kind" in git) throw new ConfigurationError(`an issue's worktree can't be made: ${git.reason}`);
  try {
    const number = Number(issue);
    const source = fields === undefined ? fieldsFromGh(world, git, number) : fieldsFromFile(cwd, fields);
    const origin = resolveOrigin(git, { explicit, fields: source, config: definition.originBranch });
    const worktree = openIssueWorktree(world, git, places, number, origin);
    if (worktree.takenOver !== undefined) world.warn(`'${worktree.takenOver}' died; its branch is taken over`);
    return {
      cwd: worktree.directory,
      place,
      workPlace: findStatePlace(worktree.directory, places, world.home),
      instance: worktree.instance,
      branch: worktree.branch,
      issue: number,
      release: worktree.release,
    };
  } finally {
    git.close();
  }
}
