import { resolve } from "node:path";
import { textFlag } from "../cli/args.ts";
import type { Invocation, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import { realPathOf } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  countFindings,
  isUnsafe,
  locateFindings,
  printedFindings,
  sortFindings,
  verdict,
  type FailOn,
  type Finding,
  type LocatedFinding,
} from "./findings.ts";
import type { Format } from "./flags.ts";
import {
  renderFindingsGithub,
  renderFindingsJson,
  renderFindingsMarkdown,
  renderFindingsSummary,
  renderFindingsText,
  renderFixed,
} from "./formats.ts";
import { renderFindingsSarif } from "./sarif.ts";
import type { Rule } from "./rules.ts";

export interface Checked {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** The noun for one of the checked things. */
  readonly subject: "file" | "skill";
  /** The rules that were checked. */
  readonly rules: readonly Rule[];
  /** Findings that `--fix` has fixed. */
  readonly fixed?: readonly Finding[] | undefined;
  /** How many findings the baseline hides. */
  readonly known?: number | undefined;
}

/**
 * Prints the findings, and for people a summary on standard error. The outcome is "findings" exactly if one of them is
 * as severe as `--fail-on`.
 */
export async function printFindings(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  format: Format,
  { findings, checked, subject, rules, fixed, known }: Checked,
): Promise<Outcome> {
  const base = format === "text" ? canonical(workspace.cwd) : repositoryBase(world, workspace);
  const located = locateFindings(printedFindings(findings), base);
  const counts = countFindings(located);
  const repaired = fixed && locateFindings(sortFindings(fixed), base);
  const fixes = repaired === undefined ? "" : renderFixed(repaired);
  switch (format) {
    case "text":
      world.write(fixes + (await textOf(world, located)));
      break;
    case "github":
      world.complain(fixes);
      world.write(renderFindingsGithub(located));
      break;
    case "json":
      world.write(renderFindingsJson({ findings: located, counts, checked, fixed: repaired, known }));
      break;
    case "sarif":
      world.complain(fixes);
      world.write(renderFindingsSarif({ findings: located, rules, base }));
      break;
  }
  const isForPeople = format === "text" || format === "github";
  const summary = renderFindingsSummary({ counts, checked, subject, known, ...countFixable(findings) });
  if (isForPeople && flags["quiet"] !== true) world.complain(`codelia: ${summary}\n`);
  return verdict(findings, (textFlag(flags["fail-on"]) ?? "error") as FailOn);
}

async function textOf(world: World, located: readonly LocatedFinding[]): Promise<string> {
  if (!world.isTerminal("stdout")) return renderFindingsText(located);
  const { renderFindingsForTerminal } = await import("./terminal-text.ts");
  const { hasColour } = await import("../cli/colour.ts");
  const { outputColumns } = await import("../cli/terminal.ts");
  return renderFindingsForTerminal(located, { hasColour: hasColour(world.env), columns: outputColumns() });
}

/** How many findings `--fix` would fix, and how many with `--unsafe`. */
function countFixable(findings: readonly Finding[]): { fixable: number; unsafelyFixable: number } {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const unsafelyFixable = fixes.filter(isUnsafe).length;
  return { fixable: fixes.length - unsafelyFixable, unsafelyFixable };
}

/** GitHub needs paths relative to the checkout, which may be above our root. */
export function repositoryBase(world: World, { root }: Workspace): string {
  const directory = canonical(root.directory);
  const checkout = world.env["GITHUB_WORKSPACE"];
  const base = checkout ? canonical(checkout) : directory;
  return isInside(base, directory) ? base : directory;
}

/** The paths of findings are canonical too. */
function canonical(directory: string): string {
  return realPathOf(directory) ?? directory;
}

/** Appends a summary in Markdown to the file that `--summary` names, if it is given. */
export async function writeSummary(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  { findings, checked, subject, known }: Checked,
): Promise<void> {
  const asked = textFlag(flags["summary"]);
  if (asked === undefined) return;
  const named = asked === "" ? (world.env["GITHUB_STEP_SUMMARY"] ?? "") : asked;
  const located = locateFindings(printedFindings(findings), repositoryBase(world, workspace));
  const line = renderFindingsSummary({ counts: countFindings(located), checked, subject, known });
  const { appendToFile } = await import("../lib/write-file.ts");
  const written = appendToFile(resolve(workspace.cwd, named), renderFindingsMarkdown({ findings: located, line }));
  if (written.kind === "failed") world.warn(`the summary '${visible(named)}' can't be written (${written.errno})`);
}
