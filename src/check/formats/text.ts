import type { LocatedFinding } from "../findings.ts";
import { defuse } from "../../instructions/body.ts";
import { visible } from "../../lib/escape.ts";

/** One line each, which terminals and editors can follow to its place; a blank line between files. */
export function renderFindingsText(findings: readonly LocatedFinding[]): string {
  let previous = findings[0]?.path;
  const lines = findings.map((finding) => {
    const gap = finding.path === previous ? "" : "\n";
    previous = finding.path;
    return `${gap}${placeOf(finding)} ${finding.severity} ${finding.rule} ${sentenceOf(finding)}\n`;
  });
  return lines.join("");
}

/** What was repaired, a line each. */
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

/** What a check comes to: `subject` is one of what was checked, "skill"; `known` are those that a baseline lets pass. */
export function renderFindingsSummary(
  counts: Readonly<Record<LocatedFinding["severity"], number>>,
  checked: number,
  subject: string,
  known = 0,
): string {
  const found = (["error", "warning", "note"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => plural(counts[severity], severity));
  const passed = known === 0 ? "" : `, and ${known} that the baseline lets pass,`;
  return `${found.length === 0 ? `nothing${known === 0 ? "" : " new"} found` : found.join(", ")}${passed} in ${plural(checked, subject)}`;
}

/** What is wrong, and the way out. */
export function sentenceOf({ message, remedy }: LocatedFinding): string {
  return shown(remedy === undefined ? message : `${message}; ${remedy}`);
}

/** A name or sentence for whoever reads it, a model too: in what is found may stand a tag that would mislead it. */
export function shown(text: string): string {
  return defuse(visible(text));
}

function placeOf({ path, relativePath, line, column }: LocatedFinding): string {
  return `${shown(relativePath ?? path)}:${line}${column === undefined ? "" : `:${column}`}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
