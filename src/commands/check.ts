import { dirname, resolve } from "node:path";
import { writeBaseline } from "../check/baseline.ts";
import type { Finding } from "../check/findings.ts";
import { findingsFixer } from "../check/fix.ts";
import { narrowFindings, type Narrowed } from "../check/narrow.ts";
import { CHECK_ARGS, chooseFormat, printFindings, writeSummary } from "../check/print.ts";
import { checkRepository } from "../check/repository.ts";
import { RULES } from "../check/rules.ts";
import { askedPlace } from "../check/scene.ts";
import { textFlag, usage } from "../cli/args.ts";
import { chooseProfiles } from "../clients/choose.ts";
import { OWN_PROFILE } from "../clients/raw-profile.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { isDirectory } from "../lib/path-facts.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  path: a file or directory; none for the whole repository of the working directory
 * @output what is wrong with its instruction files, skills, config and hooks
 * @effect reads; with `--fix` repairs, with `--write-baseline` and `--summary` writes those files
 * @error  usage for a path that is not there, an unknown client, flags that contradict each other; baseline_unusable,
 *         changes_unknown
 */
export const command: Command = {
  meta: { name: "check", description: "Find problems in a repository's instructions, skills, config and hooks." },
  args: CHECK_ARGS,
  maxOperands: 1,
  run(world, invocation) {
    const format = chooseFormat(world, invocation);
    if (format === undefined) return usage("'--json' and '--format' ask for different formats");
    const { flags, operands } = invocation;
    if (flags["write-baseline"] === true && flags["baseline"] === undefined) {
      return usage("'--write-baseline' needs '--baseline FILE', which says where");
    }
    if (flags["write-baseline"] === true && flags["changed"] !== undefined) {
      return usage("'--changed' sees a part only, and a baseline is of the whole: leave one of them out");
    }
    if (flags["write-baseline"] === true && flags["fix"] === true) {
      return usage("'--write-baseline' writes down what '--fix' may repair: run 'codelia check --fix' first, alone");
    }
    if (flags["summary"] === "" && !world.env["GITHUB_STEP_SUMMARY"]) {
      return usage("'--summary' names no file, and neither does GITHUB_STEP_SUMMARY");
    }
    const cwd = resolve(world.cwd(), textFlag(flags["cwd"]) ?? ".");
    const [word] = operands;
    if (word !== undefined && askedPlace(resolve(cwd, word), undefined) === undefined) {
      return usage(`no file or directory '${visible(word)}'`);
    }
    return inWorkspace(world, at(invocation, cwd), (workspace) =>
      run(world, { ...workspace, cwd }, invocation, format),
    );
  },
};

/** What is asked about decides which repository it is about. */
function at(invocation: Invocation, cwd: string): Invocation {
  const [word] = invocation.operands;
  if (word === undefined) return invocation;
  const path = resolve(cwd, word);
  return { ...invocation, flags: { ...invocation.flags, cwd: isDirectory(path) ? path : dirname(path) } };
}

async function run(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  format: NonNullable<ReturnType<typeof chooseFormat>>,
): Promise<Outcome> {
  const { flags, operands } = invocation;
  const clients = await chooseProfiles(world, workspace, textFlag(flags["as"]) ?? OWN_PROFILE);
  if (typeof clients === "string") return usage(clients);
  const path = resolve(workspace.cwd, operands[0] ?? workspace.root.directory);
  const look = () => checkRepository(world, workspace, path, clients, flags["quiet"] === true);
  let check = await look();
  if (flags["write-baseline"] === true) return writeBaseline(world, workspace, invocation, check);
  let narrowed = await narrowFindings(world, workspace, invocation, check);
  if ("code" in narrowed) return narrowed;
  let fixed: Narrowed["findings"] | undefined;
  if (flags["fix"] === true) {
    const fix = findingsFixer(world, check.root);
    const done: Finding[] = [];
    for (let now = fix(narrowed.findings); now.length > 0; now = fix(narrowed.findings)) {
      done.push(...now);
      check = await look();
      narrowed = await narrowFindings(world, workspace, invocation, check);
      if ("code" in narrowed) return narrowed;
    }
    fixed = done;
  }
  const { findings, known } = narrowed;
  const checked = { findings, checked: check.checked, subject: "file", rules: RULES, fixed, known };
  await writeSummary(world, workspace, invocation, checked);
  const outcome = printFindings(world, workspace, invocation, format, checked);
  // What it says may decide what was found.
  return workspace.userConfigLost ? "unusable" : outcome;
}
