import type { LocatedFinding } from "../core/findings.ts";
import { defuse } from "./body.ts";
import { visible } from "./escape.ts";

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

/** What a check says last: `subject` is one of what was checked, "skill". */
export function renderFindingsSummary(
  counts: Readonly<Record<LocatedFinding["severity"], number>>,
  checked: number,
  subject: string,
): string {
  const found = (["error", "warning", "note"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => plural(counts[severity], severity));
  return `codelia: ${found.length === 0 ? "nothing found" : found.join(", ")} in ${plural(checked, subject)}\n`;
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
