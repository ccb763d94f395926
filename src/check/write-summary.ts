import { resolve } from "node:path";
import type { Invocation } from "../command.ts";
import { printedFindings } from "./bounded-findings.ts";
import { countFindings, locateFindings } from "./findings.ts";
import type { Workspace } from "../workspace.ts";
import { visible } from "../lib/escape.ts";
import { renderFindingsSummary } from "./formats/text.ts";
import type { World } from "../world.ts";
import { text } from "../cli/args.ts";
import { repositoryBase, type Checked } from "./print-findings.ts";

/**
 * Appends a page of Markdown to the file that `--summary` names, where it is asked for.
 *
 * @effect the file
 * @error  none: a warning for a file that can't be written
 */
export async function writeSummary(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  { findings, checked, subject, known }: Checked,
): Promise<void> {
  const asked = text(flags["summary"]);
  if (asked === undefined) return;
  const named = asked === "" ? (world.env["GITHUB_STEP_SUMMARY"] ?? "") : asked;
  const located = locateFindings(printedFindings(findings), repositoryBase(world, workspace));
  const line = renderFindingsSummary(countFindings(located), checked, subject, known);
  const { renderFindingsMarkdown } = await import("./formats/markdown.ts");
  const { appendToFile } = await import("../lib/append-to-file.ts");
  const written = appendToFile(resolve(workspace.cwd, named), renderFindingsMarkdown({ findings: located, line }));
  if (written.kind === "failed") world.warn(`the summary '${visible(named)}' can't be written (${written.errno})`);
}
