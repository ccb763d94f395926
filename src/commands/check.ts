import { resolve } from "node:path";
import { writeBaseline } from "../check/baseline.ts";
import type { Finding } from "../check/findings.ts";
import { findingsFixer } from "../check/fix.ts";
import { narrowFindings, type Narrowed } from "../check/narrow.ts";
import { CHECK_ARGS, chooseFormat } from "../check/flags.ts";
import { printFindings, writeSummary } from "../check/print.ts";
import { checkRepository } from "../check/repository.ts";
import { RULES } from "../check/rules.ts";
import { askedPlace, commonDirectory } from "../check/scene.ts";
import { expandOperands, notFound, textFlag, usage } from "../cli/args.ts";
import { chooseProfiles } from "../clients/choose.ts";
import type { Command, Invocation, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { inWorkspace, type Workspace } from "../workspace.ts";
import type { World } from "../world.ts";

/**
 * @input  paths: files, directories or patterns; the whole repository of the working directory if empty
 * @effect with `--fix` applies fixes; with `--write-baseline` and `--summary` writes those files
 * @error  not_found for a path or an unknown client; usage for flags that contradict each other; baseline_unusable;
 *          changes_unknown
 */
export const command: Command = {
  meta: { name: "check", description: "Find problems in a repository's instructions, skills, config and hooks." },
  args: CHECK_ARGS,
  maxOperands: Number.POSITIVE_INFINITY,
  async run(world, invocation) {
    const format = chooseFormat(world, invocation);
    if (format === undefined) return usage("'--json' and '--format' contradict each other");
    const { flags, operands } = invocation;
    if (flags["write-baseline"] === true && flags["baseline"] === undefined) {
      return usage("'--write-baseline' needs '--baseline FILE'");
    }
    if (flags["write-baseline"] === true && flags["changed"] !== undefined) {
      return usage("a baseline covers the whole repository, and '--changed' only a part of it: leave one of them out");
    }
    if (flags["write-baseline"] === true && flags["fix"] === true) {
      return usage("'--write-baseline' would record what '--fix' can fix: run 'codelia check --fix' first, alone");
    }
    if ((flags["unsafe"] === true || flags["diff"] === true) && flags["fix"] !== true) {
      return usage("'--unsafe' and '--diff' say how to fix: add '--fix'");
    }
    if (flags["staged"] === true && (flags["changed"] !== undefined || flags["write-baseline"] === true)) {
      return usage("'--staged' can't be combined with '--changed' or '--write-baseline'");
    }
    if (flags["summary"] === "" && !world.env["GITHUB_STEP_SUMMARY"]) {
      return usage("'--summary' needs a file, because GITHUB_STEP_SUMMARY is not set");
    }
    const cwd = resolve(world.cwd(), textFlag(flags["cwd"]) ?? ".");
    const named = await expandOperands(cwd, operands);
    if (named.kind === "too-many") return usage(named.reason);
    const lost = named.paths.find((path) => askedPlace(resolve(cwd, path), undefined) === undefined);
    if (lost !== undefined) return notFound(`no file or directory '${visible(lost)}'`);
    const paths = named.paths.map((path) => resolve(cwd, path));
    return inWorkspace(world, at(invocation, paths), (workspace) =>
      run(world, { ...workspace, cwd }, invocation, format, paths),
    );
  },
};

/** The repository that contains the path, not the working directory. */
function at(invocation: Invocation, paths: readonly string[]): Invocation {
  if (paths.length === 0) return invocation;
  return { ...invocation, flags: { ...invocation.flags, cwd: commonDirectory(paths) } };
}

async function run(
  world: World,
  workspace: Workspace,
  invocation: Invocation,
  format: NonNullable<ReturnType<typeof chooseFormat>>,
  paths: readonly string[],
): Promise<Outcome> {
  const { flags } = invocation;
  const as = textFlag(flags["as"]);
  const clients = as === undefined ? undefined : await chooseProfiles(world, workspace, as);
  if (typeof clients === "string") return notFound(clients);
  const asked = paths.length === 0 ? [workspace.root.directory] : paths;
  const look = () => checkRepository(world, workspace, asked, clients, flags["quiet"] === true);
  let check = await look();
  if (flags["write-baseline"] === true) return writeBaseline(world, workspace, invocation, check);
  let narrowed = await narrowFindings(world, workspace, invocation, check);
  if ("code" in narrowed) return narrowed;
  let fixed: Narrowed["findings"] | undefined;
  const withUnsafe = flags["unsafe"] === true;
  if (flags["diff"] === true) {
    const { fixesAsDiff } = await import("../check/fix-diff.ts");
    const diff = fixesAsDiff(check.root, narrowed.findings, withUnsafe);
    world.write(diff);
    return diff === "" ? "ok" : "findings";
  }
  if (flags["fix"] === true) {
    const fix = findingsFixer(world, check.root, withUnsafe);
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
  const checked = { findings, checked: check.checked, subject: "file" as const, rules: RULES, fixed, known };
  await writeSummary(world, workspace, invocation, checked);
  const outcome = await printFindings(world, workspace, invocation, format, checked);
  // The unusable config might have changed the findings.
  return workspace.lostConfig?.isUsers === true ? "unusable" : outcome;
}
