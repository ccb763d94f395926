import { resolve } from "node:path";
import type { Invocation, Outcome } from "../command.ts";
import { baselineOf } from "./baseline.ts";
import { locateFindings, sortFindings } from "./findings.ts";
import { saveBaseline } from "./baseline-file.ts";
import type { Workspace } from "../workspace.ts";
import { visible } from "../lib/escape.ts";
import type { World } from "../world.ts";
import type { RepositoryCheck } from "./repository.ts";
import { text } from "../cli/args.ts";

/**
 * Writes what is wrong now into the file that `--baseline` names.
 *
 * @effect the file
 * @error  usage for a part of a repository; baseline_unusable where it can't be written
 */
export function writeBaseline(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  { root, asked, findings }: RepositoryCheck,
): Outcome {
  const named = text(flags["baseline"]) ?? "";
  if (asked !== root) {
    return {
      code: "usage",
      message: `a baseline is of a whole repository: leave out the path, or name '${visible(root)}'`,
    };
  }
  const baseline = baselineOf(locateFindings(sortFindings(findings), root));
  const problem = saveBaseline(world, resolve(workspace.cwd, named), baseline);
  if (problem !== undefined) return { code: "baseline_unusable", message: `baseline '${visible(named)}': ${problem}` };
  const count = baseline.entries.length;
  if (flags["quiet"] !== true)
    world.complain(`codelia: ${count} finding${count === 1 ? "" : "s"} written to '${visible(named)}'\n`);
  return "ok";
}
