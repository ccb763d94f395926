import { CHOICES } from "../clients/choose.ts";
import { OWN_PROFILE } from "../clients/raw-profile.ts";
import type { ArgsDef } from "citty";
import { resolve } from "node:path";
import { textFlag, OUTPUT_ARGS, PLACE_ARGS } from "../cli/args.ts";
import type { Invocation, Outcome } from "../command.ts";
import { visible } from "../lib/escape.ts";
import { isInside } from "../lib/paths.ts";
import { realPathOf } from "../lib/path-facts.ts";
import type { Workspace } from "../workspace.ts";
import type { World } from "../world.ts";
import {
  printedFindings,
  countFindings,
  locateFindings,
  sortFindings,
  verdict,
  type FailOn,
  type Finding,
} from "./findings.ts";
import { renderFindingsGithub } from "./formats/github.ts";
import { renderFindingsJson } from "./formats/json.ts";
import { renderFindingsSarif } from "./formats/sarif.ts";
import { renderFindingsSummary, renderFindingsText, renderFixed } from "./formats/text.ts";
import type { Rule } from "./rules.ts";

/** The flags of every command that checks. */
export const FINDINGS_ARGS = {
  format: {
    type: "enum",
    options: ["text", "json", "github", "sarif"],
    description: "how findings are printed; default text, under GitHub Actions github",
  },
  "fail-on": {
    type: "enum",
    options: ["error", "warning", "note", "never"],
    description: "what makes the exit code 1: findings as grave as this, or graver; default error",
  },
} as const satisfies ArgsDef;

export type Format = "text" | "json" | "github" | "sarif";

/** How findings are to be printed; undefined where the flags contradict each other. */
export function chooseFormat(world: World, { flags }: Invocation): Format | undefined {
  const asked = textFlag(flags["format"]) as Format | undefined;
  if (flags["json"] === true) return asked === undefined || asked === "json" ? "json" : undefined;
  return asked ?? (world.env["GITHUB_ACTIONS"] === "true" ? "github" : "text");
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** What one of them is called. */
  readonly subject: string;
  /** What was looked for. */
  readonly rules: readonly Rule[];
  /** What was found and is repaired now. */
  readonly fixed?: readonly Finding[] | undefined;
  /** What was found and is not new. */
  readonly known?: number | undefined;
}

/**
 * @output the findings; for people, what they come to, on standard error
 * @effect prints
 * @ensures the outcome is "findings" exactly when one of them is as grave as `--fail-on`
 */
export function printFindings(
  world: World,
  workspace: Workspace,
  { flags }: Invocation,
  format: Format,
  { findings, checked, subject, rules, fixed, known }: Checked,
): Outcome {
  const base = format === "text" ? canonical(workspace.cwd) : repositoryBase(world, workspace);
  const located = locateFindings(printedFindings(findings), base);
  const counts = countFindings(located);
  const repaired = fixed && locateFindings(sortFindings(fixed), base);
  const done = repaired === undefined ? "" : renderFixed(repaired);
  switch (format) {
    case "text":
      world.write(done + renderFindingsText(located));
      break;
    case "github":
      world.complain(done);
      world.write(renderFindingsGithub(located));
      break;
    case "json":
      world.write(renderFindingsJson({ findings: located, counts, checked, fixed: repaired, known }));
      break;
    case "sarif":
      world.complain(done);
      world.write(renderFindingsSarif({ findings: located, rules, base }));
      break;
  }
  const isForPeople = format === "text" || format === "github";
  const summary = renderFindingsSummary(counts, checked, subject, known);
  if (isForPeople && flags["quiet"] !== true) world.complain(`codelia: ${summary}\n`);
  return verdict(findings, (textFlag(flags["fail-on"]) ?? "error") as FailOn);
}

/** GitHub wants paths from the checkout, which may be above our root. */
export function repositoryBase(world: World, { root }: Workspace): string {
  const directory = canonical(root.directory);
  const checkout = world.env["GITHUB_WORKSPACE"];
  const base = checkout ? canonical(checkout) : directory;
  return isInside(base, directory) ? base : directory;
}

/** As the paths of the findings are. */
function canonical(directory: string): string {
  return realPathOf(directory) ?? directory;
}

export const CHECK_ARGS = {
  path: {
    type: "positional",
    required: false,
    valueHint: "PATH…",
    description: "only what is at or below these paths or patterns",
  },
  as: {
    type: "string",
    valueHint: "CLIENT,…",
    description: `judge for these clients what they cut, leave out, pass over: ${CHOICES.join(", ")}; default ${OWN_PROFILE}`,
  },
  ...FINDINGS_ARGS,
  fix: { type: "boolean", description: "repair what is sure to be right afterwards, and say what" },
  baseline: { type: "string", valueHint: "FILE", description: "let pass what this file says was there before" },
  "write-baseline": { type: "boolean", description: "write what is found into that file, and find nothing" },
  changed: {
    type: "string",
    valueHint: "[REV]",
    description: "only what may come of changes since the branch left REV; default the CI's target, origin/HEAD, HEAD",
  },
  summary: {
    type: "string",
    valueHint: "[FILE]",
    description: "append a page of Markdown to FILE; default the one that GITHUB_STEP_SUMMARY names",
  },
  ...PLACE_ARGS,
  ...OUTPUT_ARGS,
} as const satisfies ArgsDef;

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
  const asked = textFlag(flags["summary"]);
  if (asked === undefined) return;
  const named = asked === "" ? (world.env["GITHUB_STEP_SUMMARY"] ?? "") : asked;
  const located = locateFindings(printedFindings(findings), repositoryBase(world, workspace));
  const line = renderFindingsSummary(countFindings(located), checked, subject, known);
  const { renderFindingsMarkdown } = await import("./formats/markdown.ts");
  const { appendToFile } = await import("../lib/write-file.ts");
  const written = appendToFile(resolve(workspace.cwd, named), renderFindingsMarkdown({ findings: located, line }));
  if (written.kind === "failed") world.warn(`the summary '${visible(named)}' can't be written (${written.errno})`);
}
