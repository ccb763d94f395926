import { resolve } from "node:path";
import type { Invocation, Outcome } from "../command.ts";
import { baselineOf } from "../core/check/baseline.ts";
import { locateFindings, sortFindings } from "../core/findings.ts";
import { saveBaseline } from "../io/check/baseline-file.ts";
import type { Workspace } from "../io/workspace.ts";
import { visible } from "../render/escape.ts";
import type { World } from "../world.ts";
import type { RepositoryCheck } from "./check-repository.ts";
import { text } from "./common.ts";

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
