import type { LocatedFinding } from "../findings.ts";
import { defuse } from "../../instructions/body.ts";
import { SEVERITIES, type Severity } from "../../lib/diagnostic.ts";
import { visible } from "../../lib/escape.ts";

/** One line each, in a form that terminals and editors link to the file; a blank line between files. */
export function renderFindingsText(findings: readonly LocatedFinding[]): string {
  let previous = findings[0]?.path;
  const lines = findings.map((finding) => {
    const gap = finding.path === previous ? "" : "\n";
    previous = finding.path;
    return `${gap}${placeOf(finding)} ${finding.severity} ${finding.rule} ${sentenceOf(finding)}\n`;
  });
  return lines.join("");
}

/** What was fixed, one line each. */
export function renderFixed(fixed: readonly LocatedFinding[]): string {
  return fixed.map((finding) => `${placeOf(finding)} fixed ${finding.rule} ${whatWasDone(finding)}\n`).join("");
}

function whatWasDone({ fix, message }: LocatedFinding): string {
  switch (fix?.kind) {
    case "rename":
      return shown(`renamed to '${fix.to.slice(fix.to.lastIndexOf("/") + 1)}'`);
    case "link":
      return shown(`made a link to '${fix.target}'`);
    case "strip":
      return "removed characters that can't be seen";
    case undefined:
      return shown(message);
  }
}

/**
 * The counts in a sentence.
 *
 * @param subject what one of the checked things is called, "skill"
 * @param known how many findings a baseline leaves out
 */
export function renderFindingsSummary(
  counts: Readonly<Record<Severity, number>>,
  checked: number,
  subject: string,
  known = 0,
): string {
  const found = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    plural(counts[severity], severity),
  );
  const passed = known === 0 ? "" : `, and ${known} in the baseline,`;
  return `${found.length === 0 ? `nothing${known === 0 ? "" : " new"} found` : found.join(", ")}${passed} in ${plural(checked, subject)}`;
}

/** The message and the remedy. */
export function sentenceOf({ message, remedy }: LocatedFinding): string {
  return shown(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** A name or sentence for people and models: tags in it, which could mislead a model, are defused. */
export function shown(text: string): string {
  return defuse(visible(text));
}

function placeOf({ path, relativePath, line, column }: LocatedFinding): string {
  return `${shown(relativePath ?? path)}:${line}${column === undefined ? "" : `:${column}`}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
